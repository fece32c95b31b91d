import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { readLines } from './lines.ts';

it.each([1, 2, 5, 100])('the lines in chunks of %d bytes are found, and what is left at the end', async (size) => {
  const stream = new PassThrough();
  const lines: string[] = [];
  readLines(stream, (line) => lines.push(line));
  const bytes = Buffer.from('one\n\nzwölf\nrest');
  for (let at = 0; at < bytes.length; at += size) stream.write(bytes.subarray(at, at + size));
  stream.end();
  await expect.poll(() => lines).toEqual(['one', '', 'zwölf', 'rest']);
});
