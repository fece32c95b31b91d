import { lazy } from '#shared/base/cache.ts';
import { type Connection, clientConfig } from './connection.ts';

/** Milliseconds for one attempt, until S3 begins to respond. */
const attemptMs = 4_000;

export type Bucket = ReturnType<typeof openBucket>;

/**
 * A bucket, and how to open the one client of S3 that all its users share. The client is larger than most functions and
 * rarely needed, so it is loaded on first use.
 */
export function openBucket(name: string, connection: Connection) {
  const open = lazy(async () => {
    const s3 = await import('@aws-sdk/client-s3');
    const client = new s3.S3Client({
      // Files can be large, so they are read as they arrive.
      ...clientConfig(connection, attemptMs, { streams: true }),
      expectContinueHeader: false,
      useArnRegion: false,
      disableMultiregionAccessPoints: true,
      disableS3ExpressSessionAuth: true,
      sigv4aSigningRegionSet: undefined,
      // Otherwise links would contain checksums, which are useless to their readers. Calls that need one ask for it.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
    return { s3, client };
  });
  return { name, open };
}

/** Yields the keys of all objects whose keys begin with `Prefix`. */
export async function* listObjects({ name, open }: Bucket, Prefix: string): AsyncGenerator<string> {
  const { s3, client } = await open();
  for await (const { Contents = [] } of s3.paginateListObjectsV2({ client }, { Bucket: name, Prefix })) {
    yield* Contents.flatMap(({ Key }) => Key ?? []);
  }
}

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
