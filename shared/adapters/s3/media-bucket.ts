import { Readable } from 'node:stream';
import { lazy } from '#shared/base/lazy.ts';
import type { MediaBucket } from '#shared/domain/media/media-bucket.ts';
import type { Connection } from '../connection.ts';
import { openBucket } from './bucket-link.ts';

/**
 * Two parts on their way and the next one being gathered: what an upload takes of the memory, whatever the file's size.
 */
const upload = { partSize: 5 * 2 ** 20, queueSize: 2 };

/**
 * Files in the bucket, by the AWS environment unless told otherwise. What it takes of the SDK is loaded with the first
 * use: small files never come here.
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
        // Where the bucket failed, the bytes would wait to be read for ever.
        Body.destroy();
      }
    },
  };
}
