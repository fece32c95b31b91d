import { flowJsonStore } from '#shared/adapters/dynamodb/flows/flow-json.ts';
import { flowStore } from '#shared/adapters/dynamodb/flows/flows.ts';
import { blobStore } from '#shared/adapters/s3/blobs.ts';
import { bucketLink } from '#shared/adapters/s3/bucket-link.ts';
import { mediaRemover } from '#shared/adapters/s3/media-bucket.ts';
import { payloadStore } from '#shared/adapters/s3/payloads.ts';
import { uploadSigner } from '#shared/adapters/s3/upload-bucket.ts';
import { outlineReader } from '#shared/domain/flows/outline-reader.ts';
import { provider } from '../provider.ts';
import { bucket } from '../resources/bucket.ts';
import { table } from '../resources/table.ts';

export const link = /* @__PURE__ */ provider({ bucket }, ({ bucket }) => bucketLink(bucket));

export const mediaFiles = /* @__PURE__ */ provider({ bucket }, ({ bucket }) => mediaRemover(bucket));

/** Signs uploads to the bucket. */
export const signUpload = /* @__PURE__ */ provider({ bucket }, ({ bucket }) => uploadSigner(bucket));

export const readPayload = /* @__PURE__ */ provider({ bucket }, ({ bucket }) => payloadStore(blobStore(bucket)).read);

export const flowJson = /* @__PURE__ */ provider({ table, bucket }, ({ table, bucket }) =>
  flowJsonStore(table, blobStore(bucket)),
);

/** Reads the outlines of Flows, and keeps those of the process's latest. */
export const readOutline = /* @__PURE__ */ provider({ table, bucket }, ({ table, bucket }) =>
  outlineReader({ flows: flowStore(table), flowJson: flowJsonStore(table, blobStore(bucket)) }),
);
