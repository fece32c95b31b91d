import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { AwsError } from '../base/aws-error.ts';
import type { Bucket, StoredObject } from './bucket.ts';
import { type ObjectFile, removeObjectFile, writeObjectFile } from './object-file.ts';

export interface CompletedPart {
  partNumber: number;
  etag: string;
}

interface Upload {
  bucket: Bucket;
  key: string;
  headers: Record<string, string>;
  parts: Map<number, ObjectFile>;
}

const minPartBytes = 5 * 1024 ** 2;
const maxPartNumber = 10_000;

/** Uploads in progress. They end with the process, and the next start removes their files. */
export class MultipartUploads {
  readonly #uploads = new Map<string, Upload>();

  create(bucket: Bucket, key: string, headers: Record<string, string>): string {
    const uploadId = randomUUID();
    this.#uploads.set(uploadId, { bucket, key, headers, parts: new Map() });
    return uploadId;
  }

  /** Throws `AwsError` `NoSuchUpload` or `InvalidArgument` if there can be no such part. */
  check(bucket: Bucket, key: string, uploadId: string, partNumber: number): void {
    this.#demand(bucket, key, uploadId);
    if (!Number.isInteger(partNumber) || partNumber < 1 || partNumber > maxPartNumber) {
      throw new AwsError('InvalidArgument', `Part number must be an integer between 1 and ${maxPartNumber}.`);
    }
  }

  /** Adds a written part. It replaces an earlier one with the same number. */
  async addPart(bucket: Bucket, key: string, uploadId: string, partNumber: number, file: ObjectFile): Promise<void> {
    const { parts } = this.#demand(bucket, key, uploadId);
    const replaced = parts.get(partNumber);
    parts.set(partNumber, file);
    if (replaced) await removeObjectFile(replaced.path);
  }

  /** Joins the parts. Throws `AwsError` `NoSuchUpload`, `InvalidPart`, `InvalidPartOrder` or `EntityTooSmall`. */
  async complete(bucket: Bucket, key: string, uploadId: string, completed: CompletedPart[]): Promise<StoredObject> {
    const upload = this.#demand(bucket, key, uploadId);
    const parts = selectParts(upload, completed);
    const md5s = createHash('md5');
    for (const { md5 } of parts) md5s.update(md5);
    const file = await writeObjectFile(bucket.folder, joined(parts));
    const etag = `${md5s.digest('hex')}-${parts.length}`;
    const object = await bucket.put(key, file, { headers: upload.headers, etag });
    await this.abort(bucket, key, uploadId);
    return object;
  }

  /** Forgets the upload and its parts. Throws `AwsError` `NoSuchUpload`. */
  async abort(bucket: Bucket, key: string, uploadId: string): Promise<void> {
    const { parts } = this.#demand(bucket, key, uploadId);
    this.#uploads.delete(uploadId);
    for (const { path } of parts.values()) await removeObjectFile(path);
  }

  #demand(bucket: Bucket, key: string, uploadId: string): Upload {
    const upload = this.#uploads.get(uploadId);
    if (upload?.bucket === bucket && upload.key === key) return upload;
    throw new AwsError('NoSuchUpload', 'The specified upload does not exist.', 404);
  }
}

function selectParts({ parts }: Upload, completed: CompletedPart[]): ObjectFile[] {
  if (completed.length === 0) throw new AwsError('MalformedXML', 'You must specify at least one part.');
  const numbers = completed.map(({ partNumber }) => partNumber);
  if (numbers.some((number, index) => index > 0 && number <= (numbers[index - 1] ?? 0))) {
    throw new AwsError('InvalidPartOrder', 'The parts must be listed in ascending order.');
  }
  const selected = completed.map(({ partNumber, etag }) => {
    const part = parts.get(partNumber);
    if (part?.md5.toString('hex') === etag) return part;
    throw new AwsError('InvalidPart', `Part ${partNumber} could not be found, or its entity tag does not match.`);
  });
  if (selected.slice(0, -1).some(({ size }) => size < minPartBytes)) {
    throw new AwsError('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size.');
  }
  return selected;
}

async function* joined(parts: ObjectFile[]): AsyncGenerator<Buffer> {
  for (const { path } of parts) yield* createReadStream(path);
}
