import { createCipheriv, createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { Readable } from 'node:stream';

/** Bytes that are generated on demand, so that large files need no memory. */
export interface ByteSource {
  readonly size: number;
  /** The bytes from `start` to `end`, without `end`. */
  read(start: number, end: number): Iterable<Uint8Array>;
}

const chunkBytes = 64 * 1024;
const blockBytes = 16;
const zeros = Buffer.alloc(chunkBytes);

export function givenBytes(bytes: Uint8Array): ByteSource {
  return { size: bytes.length, read: (start, end) => [bytes.subarray(start, end)] };
}

/** The bytes of a file on disk. It is open while it is being read, so that it can be deleted meanwhile. */
export function fileBytes(path: string, size: number): ByteSource {
  return {
    size,
    *read(start, end) {
      const file = openSync(path, 'r');
      try {
        for (let position = start; position < end; ) {
          const chunk = Buffer.alloc(Math.min(chunkBytes, end - position));
          const count = readSync(file, chunk, 0, chunk.length, position);
          if (count === 0) throw new Error(`The file ${path} is too short`);
          yield chunk.subarray(0, count);
          position += count;
        }
      } finally {
        closeSync(file);
      }
    },
  };
}

/** Pseudo-random bytes from a seed: an AES key stream, which can be read from any position. */
export function generatedBytes(seed: string, size: number): ByteSource {
  const key = createHash('sha256').update(seed).digest().subarray(0, blockBytes);
  return {
    size,
    *read(start, end) {
      const counter = Buffer.alloc(blockBytes);
      counter.writeBigUInt64BE(BigInt(Math.floor(start / blockBytes)), blockBytes / 2);
      const cipher = createCipheriv('aes-128-ctr', key, counter);
      cipher.update(zeros.subarray(0, start % blockBytes));
      for (let position = start; position < end; position += chunkBytes) {
        yield cipher.update(zeros.subarray(0, Math.min(chunkBytes, end - position)));
      }
    },
  };
}

export function slice(source: ByteSource, start: number, end: number): ByteSource {
  return { size: end - start, read: (from, to) => source.read(start + from, start + to) };
}

/** Announces its whole size and breaks off in the middle. */
export function brokenOff(source: ByteSource): ByteSource {
  return {
    size: source.size,
    *read() {
      yield* source.read(0, Math.floor(source.size / 2));
      throw new Error('Broken off');
    },
  };
}

export function streamOf(source: ByteSource): Readable {
  return Readable.from(source.read(0, source.size), { objectMode: false });
}

export async function sha256Of(source: ByteSource): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of streamOf(source)) hash.update(chunk);
  return hash.digest();
}
