import type { IncomingMessage } from 'node:http';

/**
 * The whole body, or `undefined` if it is larger than `maximumBytes`. The body is always read to its end, so that the
 * sender gets to read the response. Rejects if the sender goes away before that.
 */
export function readBody(incoming: IncomingMessage, maximumBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maximumBytes) chunks.push(chunk);
    });
    incoming.once('end', () => resolve(bytes <= maximumBytes ? Buffer.concat(chunks) : undefined));
    incoming.once('error', reject);
  });
}
