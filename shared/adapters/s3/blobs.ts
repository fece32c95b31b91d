import type { Bucket } from './bucket.ts';

export type BlobStore = ReturnType<typeof blobStore>;

/** Stores values in the bucket that are too large for an item. A checksum protects them. */
export function blobStore({ name: Bucket, open }: Bucket) {
  return {
    async put(key: string, text: string): Promise<void> {
      const { s3, client } = await open();
      await client.send(
        new s3.PutObjectCommand({
          ...{ Bucket, Key: key, Body: text },
          ...{ ContentType: 'application/json', ChecksumAlgorithm: 'CRC32' },
        }),
      );
    },

    /** Resolves with `undefined` when the object does not exist. */
    async get(key: string): Promise<string | undefined> {
      const { s3, client } = await open();
      try {
        const { Body } = await client.send(new s3.GetObjectCommand({ Bucket, Key: key, ChecksumMode: 'ENABLED' }));
        return await Body?.transformToString('utf-8');
      } catch (error) {
        if (error instanceof s3.NoSuchKey) return undefined;
        throw error;
      }
    },

    async delete(key: string): Promise<void> {
      const { s3, client } = await open();
      await client.send(new s3.DeleteObjectCommand({ Bucket, Key: key }));
    },
  };
}
