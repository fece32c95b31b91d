import { createHash } from 'node:crypto';
import { maxMediaBytes } from './limits.ts';
import { MediaError } from './media-error.ts';

/** What the upstream announces of a file, as far as it does. */
export interface Announced {
  /** Bytes. */
  size: number | undefined;
  /** Hex. */
  sha256: string | undefined;
}

/** A file as it came. */
export interface Measured {
  size: number;
  /** Hex. */
  sha256: string;
}

/**
 * Hands the bytes on and holds them against what was announced. It throws `MediaError` in place of the end, or as soon
 * as there are too many, so that whoever writes them somewhere never finishes what is wrong; `onEnd` is told what is
 * right. Without a SHA-256 the size alone decides.
 */
export async function* checked(
  bytes: AsyncIterable<Uint8Array>,
  announced: Announced,
  onEnd: (measured: Measured) => void,
): AsyncGenerator<Uint8Array, void, void> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    if (size > maxMediaBytes) throw new MediaError('too-large');
    if (size > (announced.size ?? Number.POSITIVE_INFINITY)) throw new MediaError('altered');
    hash.update(chunk);
    yield chunk;
  }
  if (size < (announced.size ?? 0)) throw new MediaError('incomplete');
  const sha256 = hash.digest('hex');
  if (sha256 !== (announced.sha256 ?? sha256)) throw new MediaError('altered');
  onEnd({ size, sha256 });
}
