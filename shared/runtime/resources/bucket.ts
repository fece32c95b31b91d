import { openBucket } from '#shared/adapters/s3/bucket.ts';
import { resource, text } from '../resource.ts';

export const bucket = /* @__PURE__ */ resource('bucket', { BUCKET_NAME: text }, ({ BUCKET_NAME }, connectTo) =>
  openBucket(BUCKET_NAME, connectTo('s3')),
);
