import { Readable } from 'node:stream';
import type { MediaBucket } from '#shared/domain/media/media-bucket.ts';
import type { Bucket } from './bucket.ts';
import { listObjects } from './list-objects.ts';

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
