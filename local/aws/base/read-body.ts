import type { IncomingMessage } from 'node:http';

/**
 * The whole body, or `undefined` if it is larger than `maximumBytes`. The body is always read to its end, so that the
 * sender gets to read the response.
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
