import type { Readable } from 'node:stream';

/** Calls `onLine` for each line of the stream, as soon as it is complete. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  stream.once('end', () => {
    if (rest !== '') onLine(rest);
  });
}
