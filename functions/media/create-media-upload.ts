import { timestamp } from '#shared/base/time.ts';
import type { SignUpload } from '#shared/media/media-bucket-store.ts';
import { createUpload } from '#shared/media/media-upload.ts';
import type { MediaUploadStore } from '#shared/media/media-upload-store.ts';
import { created, createHandler, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { mediaUploads, signUpload } from './compose.ts';
import { createMediaUpload as contract } from './contracts.ts';

interface Dependencies extends WrapperDependencies {
  uploads: MediaUploadStore;
  signUpload: SignUpload;
}

export const makeHandler = ({ uploads, signUpload, ...dependencies }: Dependencies) =>
  createHandler(contract, dependencies, async ({ number, body }) => {
    const { now } = dependencies;
    const { upload, url, expiresAt } = await createUpload(number, body, { uploads, signUpload, now });
    return created({
      upload,
      url,
      method: 'PUT' as const,
      headers: { 'content-type': body.type, 'content-length': String(body.size) },
      expires_at: timestamp(expiresAt),
    });
  });

export const start = serve(contract, makeHandler, { uploads: mediaUploads, signUpload });
