import { lazy } from '#shared/base/lazy.ts';
import type { BucketLink } from '#shared/domain/media/bucket-link.ts';
import type { Connection } from '../aws-sdk/connection.ts';

/**
 * Creates links to files in the bucket, with the AWS environment's settings unless `connection` overrides them. The SDK
 * is loaded on first use.
 */
export function bucketLink(bucket: string, connection: Partial<Connection> = {}): BucketLink {
  const open = lazy(() => openBucket(connection));
  return async (key, options) => {
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
  };
}

export async function openBucket(connection: Partial<Connection>) {
  const s3 = await import('@aws-sdk/client-s3');
  const client = new s3.S3Client({
    ...connection,
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 4_000, throwOnRequestTimeout: true },
    // Otherwise presigned URLs would contain checksums, which are useless to their readers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { s3, client };
}
