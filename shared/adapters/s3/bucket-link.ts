import type { BucketLink } from '#shared/domain/media/bucket-link.ts';
import type { Bucket } from './bucket.ts';

/** Creates links to files in the bucket. */
export function bucketLink({ name: Bucket, open }: Bucket): BucketLink {
  return async (key, options) => {
    const { s3, client } = await open();
    const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
    const read = new s3.GetObjectCommand({
      Bucket,
      Key: key,
      ResponseContentType: options.contentType,
      ResponseContentDisposition: options.contentDisposition,
      ResponseCacheControl: options.cacheControl,
    });
    return getSignedUrl(client, read, { expiresIn: options.expiresInSeconds });
  };
}
