import { resource, text } from '../resource.ts';

/** The name of the bucket. The client loads on first use. */
export const bucket = /* @__PURE__ */ resource('bucket', { BUCKET_NAME: text }, ({ BUCKET_NAME }) => BUCKET_NAME);
