import { Readable } from 'node:stream';
import { lazy } from '../lazy.ts';
import type { Connection } from './table.ts';

/** How a file is handed out by the bucket, whatever it was stored as. */
export interface LinkOptions {
  contentType: string;
  contentDisposition: string;
  cacheControl: string;
  expiresInSeconds: number;
}

export type MediaBucket = ReturnType<typeof mediaBucket>;

/** Two parts on their way and the next one being gathered: what an upload takes of the memory, whatever the file's size. */
const upload = { partSize: 5 * 2 ** 20, queueSize: 2 };

/**
 * Files in the bucket, by the AWS environment unless told otherwise. What it takes of the SDK is loaded with the first
 * use: small files never come here.
 */
export function mediaBucket(bucket: string, connection: Partial<Connection> = {}) {
  const open = lazy(async () => {
    const s3 = await import('@aws-sdk/client-s3');
    const client = new s3.S3Client({
      ...connection,
      maxAttempts: 3,
      requestHandler: { connectionTimeout: 1_000, requestTimeout: 4_000, throwOnRequestTimeout: true },
      // Or checksums would be part of the presigned URLs, which are of no use to their readers.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
    return { s3, client };
  });

  return {
    /** Stores what comes. When the bytes end with an error nothing is stored, and the error is thrown. */
    async save(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
      const { client } = await open();
      const { Upload } = await import('@aws-sdk/lib-storage');
      const Body = Readable.from(bytes);
      try {
        const params = { Bucket: bucket, Key: key, Body, ChecksumAlgorithm: 'CRC32' } as const;
        await new Upload({ client, params, ...upload }).done();
      } finally {
        // Where the bucket failed, the bytes would wait to be read for ever.
        Body.destroy();
      }
    },

    /** An address under which whoever knows it may read the file for some time. */
    async link(key: string, options: LinkOptions): Promise<string> {
      const { s3, client } = await open();
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
      const read = new s3.GetObjectCommand({
        Bucket: bucket,
        Key: key,
        ResponseContentType: options.contentType,
        ResponseContentDisposition: options.contentDisposition,
        ResponseCacheControl: options.cacheControl,
      });
      return getSignedUrl(client, read, { expiresIn: options.expiresInSeconds });
    },
  };
}
