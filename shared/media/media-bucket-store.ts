import { Readable } from 'node:stream';
import { type Bucket, listObjects } from '#shared/aws/bucket.ts';
import type { SignUpload, UploadBucket } from './media-upload.ts';

/** Stores the copies of large files. */
export interface MediaBucket {
  /** Stores the bytes. If they end with an error, nothing is stored and the error is thrown. */
  save(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Yields the keys that begin with this. */
  list(prefix: string): AsyncIterable<string>;
  delete(key: string): Promise<void>;
}

/** The bucket checks the expiry when a download begins, so a link need not last as long as the download. */
export const linkSeconds = 300;

/** The response headers and the lifetime of a link; the headers override those that were stored with the file. */
export interface LinkOptions {
  contentType: string;
  contentDisposition: string;
  cacheControl: string;
  expiresInSeconds: number;
}

/** A URL that lets anyone who has it read the file for a limited time. */
export type BucketLink = (key: string, options: LinkOptions) => Promise<string>;

/**
 * Two parts are being sent while the next one is gathered. This bounds the memory of an upload, whatever the file's
 * size.
 */
const upload = { partSize: 5 * 2 ** 20, queueSize: 2 };

/** Finds and deletes files of the bucket. */
export function mediaRemover(bucket: Bucket): Pick<MediaBucket, 'list' | 'delete'> {
  const { name: Bucket, open } = bucket;
  return {
    list: (prefix) => listObjects(bucket, prefix),

    async delete(key) {
      const { s3, client } = await open();
      await client.send(new s3.DeleteObjectCommand({ Bucket, Key: key }));
    },
  };
}

/** Stores files in the bucket. The SDK's parts are loaded on first use, because small files never get here. */
export function mediaBucket(bucket: Bucket): MediaBucket {
  const { name: Bucket, open } = bucket;
  return {
    ...mediaRemover(bucket),

    async save(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
      const { client } = await open();
      const { Upload } = await import('@aws-sdk/lib-storage');
      const Body = Readable.from(bytes);
      try {
        const params = { Bucket, Key: key, Body, ChecksumAlgorithm: 'CRC32' } as const;
        await new Upload({ client, params, ...upload }).done();
      } finally {
        // If the bucket fails, the rest of the bytes would otherwise wait for a reader for ever.
        Body.destroy();
      }
    },
  };
}

/** Creates links to files in the bucket. */
export function bucketLink({ name: Bucket, open }: Bucket): BucketLink {
  return async (key, options) => {
    const { s3, client } = await open();
    const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
    const read = new s3.GetObjectCommand({
      Bucket,
      Key: key,
      ResponseContentType: options.contentType,
      ResponseContentDisposition: options.contentDisposition,
      ResponseCacheControl: options.cacheControl,
    });
    return getSignedUrl(client, read, { expiresIn: options.expiresInSeconds });
  };
}

/** The type and the size are part of the signature, so that the bucket rejects a file that has others. */
const signed = new Set(['host', 'content-type', 'content-length']);

/** Signs uploads to the bucket. */
export function uploadSigner({ name: Bucket, open }: Bucket): SignUpload {
  return async (key, { type, size, expiresInSeconds }) => {
    const { s3, client } = await open();
    const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
    const write = new s3.PutObjectCommand({ Bucket, Key: key, ContentType: type, ContentLength: size });
    return getSignedUrl(client, write, { expiresIn: expiresInSeconds, signableHeaders: signed });
  };
}

/** Reads uploaded files from the bucket. */
export function uploadBucket({ name: Bucket, open }: Bucket): UploadBucket {
  return {
    async sizeOf(key) {
      const { s3, client } = await open();
      try {
        const { ContentLength } = await client.send(new s3.HeadObjectCommand({ Bucket, Key: key }));
        return ContentLength;
      } catch (error) {
        if (error instanceof s3.NotFound) return undefined;
        throw error;
      }
    },

    async *read(key) {
      const { s3, client } = await open();
      const { Body } = await client.send(new s3.GetObjectCommand({ Bucket, Key: key }));
      yield* Body as AsyncIterable<Uint8Array>;
    },
  };
}
