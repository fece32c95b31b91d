import { lazy } from '#shared/base/lazy.ts';
import type { SignUpload, UploadBucket } from '#shared/domain/media/media-upload.ts';
import type { Connection } from '../aws-sdk/connection.ts';
import { openBucket } from './bucket-link.ts';

/** The type and the size are part of the signature, so that the bucket rejects a file that has others. */
const signed = new Set(['host', 'content-type', 'content-length']);

/** Signs uploads to the bucket. The SDK is loaded on first use. */
export function uploadSigner(bucket: string, connection: Partial<Connection> = {}): SignUpload {
  const open = lazy(() => openBucket(connection));
  return async (key, { type, size, expiresInSeconds }) => {
    const { s3, client } = await open();
    const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
    const write = new s3.PutObjectCommand({ Bucket: bucket, Key: key, ContentType: type, ContentLength: size });
    return getSignedUrl(client, write, { expiresIn: expiresInSeconds, signableHeaders: signed });
  };
}

/** Reads uploaded files from the bucket. The SDK is loaded on first use. */
export function uploadBucket(bucket: string, connection: Partial<Connection> = {}): UploadBucket {
  const open = lazy(() => openBucket(connection));
  return {
    async sizeOf(key) {
      const { s3, client } = await open();
      try {
        const { ContentLength } = await client.send(new s3.HeadObjectCommand({ Bucket: bucket, Key: key }));
        return ContentLength;
      } catch (error) {
        if (error instanceof s3.NotFound) return undefined;
        throw error;
      }
    },

    async *read(key) {
      const { s3, client } = await open();
      const { Body } = await client.send(new s3.GetObjectCommand({ Bucket: bucket, Key: key }));
      yield* Body as AsyncIterable<Uint8Array>;
    },
  };
}
