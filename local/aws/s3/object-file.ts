import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';

/** A file with the bytes of an object or a part. Its name is random. */
export interface ObjectFile {
  path: string;
  size: number;
  md5: Buffer;
  sha256: Buffer;
  crc32: number;
}

/** Streams `body` into a new file in the folder. If that fails, the file is removed. */
export async function writeObjectFile(folder: string, body: AsyncIterable<Buffer>): Promise<ObjectFile> {
  const path = join(folder, randomUUID());
  const md5 = createHash('md5');
  const sha256 = createHash('sha256');
  let checksum = 0;
  let size = 0;
  const measure = async function* () {
    for await (const chunk of body) {
      md5.update(chunk);
      sha256.update(chunk);
      checksum = crc32(chunk, checksum);
      size += chunk.length;
      yield chunk;
    }
  };
  try {
    await pipeline(measure, createWriteStream(path));
  } catch (error) {
    await removeObjectFile(path);
    throw error;
  }
  return { path, size, md5: md5.digest(), sha256: sha256.digest(), crc32: checksum };
}

/** Removes a file. If it cannot be removed while it is being read (Windows), the next start removes it. */
export async function removeObjectFile(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}
