import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';

/** A file that holds an object's or a part's bytes, under a name of its own. */
export interface ObjectFile {
  path: string;
  size: number;
  md5: Buffer;
  crc32: number;
}

/** Streams `body` into a new file of the folder; nothing stays of it when that fails. */
export async function writeObjectFile(folder: string, body: AsyncIterable<Buffer>): Promise<ObjectFile> {
  const path = join(folder, randomUUID());
  const md5 = createHash('md5');
  let checksum = 0;
  let size = 0;
  const measured = async function* () {
    for await (const chunk of body) {
      md5.update(chunk);
      checksum = crc32(chunk, checksum);
      size += chunk.length;
      yield chunk;
    }
  };
  try {
    await pipeline(measured, createWriteStream(path));
  } catch (error) {
    await removeObjectFile(path);
    throw error;
  }
  return { path, size, md5: md5.digest(), crc32: checksum };
}

/** Where a file cannot go because somebody still reads it (Windows), the next start removes it. */
export async function removeObjectFile(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}
