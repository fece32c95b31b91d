import { Readable } from 'node:stream';
import { lazy } from '#shared/base/lazy.ts';
import type { MediaBucket } from '#shared/domain/media/media-bucket.ts';
import type { Connection } from '../aws-sdk/connection.ts';
import { openBucket } from './bucket-link.ts';

/**
 * Two parts are being sent while the next one is gathered. This bounds the memory of an upload, whatever the file's
 * size.
 */
const upload = { partSize: 5 * 2 ** 20, queueSize: 2 };

/**
 * Stores files in the bucket, with the AWS environment's settings unless `connection` overrides them. The SDK's parts
 * are loaded on first use, because small files never get here.
 */
export function mediaBucket(bucket: string, connection: Partial<Connection> = {}): MediaBucket {
  const open = lazy(() => openBucket(connection));

  return {
    async save(key: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
      const { client } = await open();
      const { Upload } = await import('@aws-sdk/lib-storage');
      const Body = Readable.from(bytes);
      try {
        const params = { Bucket: bucket, Key: key, Body, ChecksumAlgorithm: 'CRC32' } as const;
        await new Upload({ client, params, ...upload }).done();
      } finally {
        // If the bucket fails, the rest of the bytes would otherwise wait for a reader for ever.
        Body.destroy();
      }
    },
  };
}
