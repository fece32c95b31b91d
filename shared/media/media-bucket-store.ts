import { Readable } from 'node:stream';
import { type Bucket, blobStore, listObjects } from '#shared/aws/bucket.ts';
import type { AnnouncedFile } from './media-upload-store.ts';

/** The bucket checks the expiry when a download begins, so a link need not last as long as the download. */
export const linkSeconds = 300;

/** The response headers and the lifetime of a link; the headers override those that were stored with the file. */
export interface LinkOptions {
  contentType: string;
  contentDisposition: string;
  cacheControl: string;
  expiresInSeconds: number;
}

/**
 * Two parts are being sent while the next one is gathered. This bounds the memory of an upload, whatever the file's
 * size.
 */
const upload = { partSize: 5 * 2 ** 20, queueSize: 2 };

export function mediaRemover(bucket: Bucket) {
  return {
    list: (prefix: string) => listObjects(bucket, prefix),

    delete: blobStore(bucket).delete,
  };
}

export type MediaBucket = ReturnType<typeof mediaBucket>;

/** Stores files in the bucket. The SDK's parts are loaded on first use, because small files never get here. */
export function mediaBucket(bucket: Bucket) {
  const { name: Bucket, open } = bucket;
  return {
    ...mediaRemover(bucket),

    /** If the bytes end with an error, nothing is stored and the error is thrown. */
    async save(key: string, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
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

export type BucketLink = ReturnType<typeof bucketLink>;

/** Creates URLs that let anyone who has one read a file for a limited time. */
export function bucketLink({ name: Bucket, open }: Bucket) {
  return async (key: string, options: LinkOptions): Promise<string> => {
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

export type SignUpload = ReturnType<typeof uploadSigner>;

/** Creates URLs to which anyone who has one may `PUT` a file of this type and size for a limited time. */
export function uploadSigner({ name: Bucket, open }: Bucket) {
  return async (
    key: string,
    { type, size, expiresInSeconds }: AnnouncedFile & { expiresInSeconds: number },
  ): Promise<string> => {
    const { s3, client } = await open();
    const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
    const write = new s3.PutObjectCommand({ Bucket, Key: key, ContentType: type, ContentLength: size });
    return getSignedUrl(client, write, { expiresIn: expiresInSeconds, signableHeaders: signed });
  };
}

export type UploadBucket = ReturnType<typeof uploadBucket>;

export function uploadBucket({ name: Bucket, open }: Bucket) {
  return {
    /** Bytes; `undefined` when there is no file. */
    async sizeOf(key: string): Promise<number | undefined> {
      const { s3, client } = await open();
      try {
        const { ContentLength } = await client.send(new s3.HeadObjectCommand({ Bucket, Key: key }));
        return ContentLength;
      } catch (error) {
        if (error instanceof s3.NotFound) return undefined;
        throw error;
      }
    },

    async *read(key: string): AsyncGenerator<Uint8Array> {
      const { s3, client } = await open();
      const { Body } = await client.send(new s3.GetObjectCommand({ Bucket, Key: key }));
      yield* Body as AsyncIterable<Uint8Array>;
    },
  };
}
