import type { IncomingMessage } from 'node:http';

/**
 * The whole body; `undefined` if it is larger than `maximumBytes`. It is read to its end in either case, so that whoever
 * sends it gets to read the answer.
 */
export async function readBody(incoming: IncomingMessage, maximumBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += chunk.length;
    if (bytes <= maximumBytes) chunks.push(chunk);
  }
  return bytes <= maximumBytes ? Buffer.concat(chunks) : undefined;
}
