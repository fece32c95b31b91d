import { blobStore } from '#shared/aws/bucket.ts';
import { payloadStore } from '#shared/delivery/payload-store.ts';
import { flowJsonStore } from '#shared/flows/flow-json-store.ts';
import { flowStore } from '#shared/flows/flow-store.ts';
import { outlineReader } from '#shared/flows/read-with-json.ts';
import { bucketLink, mediaRemover, uploadSigner } from '#shared/media/media-bucket-store.ts';
import { bucket } from '#shared/operations/resources/bucket.ts';
import { table } from '#shared/operations/resources/table.ts';
import { provider } from '#shared/operations/serve.ts';

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
