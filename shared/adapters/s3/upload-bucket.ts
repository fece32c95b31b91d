import type { SignUpload, UploadBucket } from '#shared/domain/media/media-upload.ts';
import type { Bucket } from './bucket.ts';

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
