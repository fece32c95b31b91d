import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { AwsError } from '../base/aws-error.ts';
import type { Bucket } from './bucket.ts';
import { type ObjectFile, removeObjectFile, writeObjectFile } from './object-file.ts';

interface CompletedPart {
  partNumber: number;
  etag: string;
}

interface Upload {
  id: string;
  bucket: Bucket;
  key: string;
  headers: Record<string, string>;
  parts: Map<number, ObjectFile>;
}

/** Uploads in progress. They end with the process, and the next start removes their files. */
export class MultipartUploads {
  readonly #uploads = new Map<string, Upload>();

  create(bucket: Bucket, key: string, headers: Record<string, string>): string {
    const id = randomUUID();
    this.#uploads.set(id, { id, bucket, key, headers, parts: new Map() });
    return id;
  }

  /** Throws `AwsError` `NoSuchUpload`. */
  find(bucket: Bucket, key: string, id: string | null): Upload {
    const upload = this.#uploads.get(id ?? '');
    if (upload?.bucket === bucket && upload.key === key) return upload;
    throw new AwsError('NoSuchUpload', 'The specified upload does not exist.', 404);
  }

  /** Adds a written part. It replaces an earlier one with the same number. */
  async addPart({ parts }: Upload, partNumber: number, file: ObjectFile): Promise<void> {
    const replaced = parts.get(partNumber);
    parts.set(partNumber, file);
    if (replaced) await removeObjectFile(replaced.path);
  }

  /** Joins the parts. Returns the entity tag. Throws `AwsError` `InvalidPart`. */
  async complete(upload: Upload, completed: CompletedPart[]): Promise<string> {
    const parts = selectParts(upload, completed);
    const md5s = createHash('md5');
    for (const { md5 } of parts) md5s.update(md5);
    const etag = `${md5s.digest('hex')}-${parts.length}`;
    const file = await writeObjectFile(upload.bucket.folder, joined(parts));
    await upload.bucket.put(upload.key, file, { headers: upload.headers, etag });
    await this.abort(upload);
    return etag;
  }

  /** Forgets the upload and its parts. */
  async abort({ id, parts }: Upload): Promise<void> {
    this.#uploads.delete(id);
    for (const { path } of parts.values()) await removeObjectFile(path);
  }
}

function selectParts({ parts }: Upload, completed: CompletedPart[]): ObjectFile[] {
  return completed.map(({ partNumber, etag }) => {
    const part = parts.get(partNumber);
    if (part?.md5.toString('hex') === etag) return part;
    throw new AwsError('InvalidPart', `Part ${partNumber} could not be found, or its entity tag does not match.`);
  });
}

async function* joined(parts: ObjectFile[]): AsyncGenerator<Buffer> {
  for (const { path } of parts) yield* createReadStream(path);
}
