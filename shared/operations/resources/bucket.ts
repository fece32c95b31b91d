import { openBucket } from '#shared/aws/bucket.ts';
import { resource, text } from '#shared/operations/resource.ts';

export const bucket = /* @__PURE__ */ resource('bucket', { BUCKET_NAME: text }, ({ BUCKET_NAME }, connectTo) =>
  openBucket(BUCKET_NAME, connectTo('s3')),
);
