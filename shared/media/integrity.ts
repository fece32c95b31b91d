import { createHash } from 'node:crypto';
import { MediaError } from './media-error.ts';
import { maxMediaBytes } from './media-limits.ts';

/** What the upstream announces about a file; it may omit either. */
export interface Announced {
  /** Bytes. */
  size: number | undefined;
  /** Hex. */
  sha256: string | undefined;
}

/** A file as received. */
export interface Measured {
  size: number;
  /** Hex. */
  sha256: string;
}

/**
 * Passes the bytes on and compares them with what was announced. On a mismatch it throws `MediaError` instead of
 * ending, and as soon as there are too many bytes, so that code that stores them never completes a wrong file. A
 * correct file ends with a call of `onEnd`. Without an announced SHA-256, only the size is checked.
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
