import { timestamp } from '#shared/base/time/clock.ts';
import { createUpload } from '#shared/domain/media/create-upload.ts';
import type { MediaUploadStore, SignUpload } from '#shared/domain/media/media-upload.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { created } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { signUpload } from '#shared/runtime/providers/files.ts';
import { mediaUploads } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

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

export const handler = serve(contract, makeHandler, { access, uploads: mediaUploads, signUpload });
