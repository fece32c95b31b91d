import { blobStore } from '#shared/adapters/s3/blobs.ts';
import { payloadStore } from '#shared/adapters/s3/payloads.ts';
import { provider } from '../provider.ts';
import { bucket } from '../resources/bucket.ts';

export const readPayload = provider({ bucket }, ({ bucket }) => payloadStore(blobStore(bucket)).read);
