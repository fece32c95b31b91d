import { lazy } from '#shared/base/lazy.ts';

export type BlobStore = ReturnType<typeof blobStore>;

/**
 * Stores values in the bucket that are too large for an item. The S3 client is larger than most functions and rarely
 * needed, so it is loaded on first use.
 */
export function blobStore(bucket: string) {
  const open = lazy(async () => {
    const s3 = await import('@aws-sdk/client-s3');
    const client = new s3.S3Client({
      maxAttempts: 3,
      requestHandler: { connectionTimeout: 1_000, requestTimeout: 4_000, throwOnRequestTimeout: true },
    });
    return { s3, client };
  });

  return {
    async put(key: string, text: string): Promise<void> {
      const { s3, client } = await open();
      await client.send(
        new s3.PutObjectCommand({ Bucket: bucket, Key: key, Body: text, ContentType: 'application/json' }),
      );
    },

    /** Resolves with `undefined` when the object does not exist. */
    async get(key: string): Promise<string | undefined> {
      const { s3, client } = await open();
      try {
        const { Body } = await client.send(new s3.GetObjectCommand({ Bucket: bucket, Key: key }));
        return await Body?.transformToString('utf-8');
      } catch (error) {
        if (error instanceof s3.NoSuchKey) return undefined;
        throw error;
      }
    },

    async delete(key: string): Promise<void> {
      const { s3, client } = await open();
      await client.send(new s3.DeleteObjectCommand({ Bucket: bucket, Key: key }));
    },
  };
}
