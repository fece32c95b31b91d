import { parseUuid } from '#shared/base/ids.ts';
import { timestamp } from '#shared/base/time/clock.ts';
import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import { type CompletionContext, completeUpload } from '#shared/domain/media/complete-upload.ts';
import { createUpload } from '#shared/domain/media/create-upload.ts';
import type { MediaUploadStore, SignUpload } from '#shared/domain/media/media-upload.ts';
import { explainUploadError } from '#shared/http/media/explain-media-error.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { handlerByRoute } from '#shared/http/wrapper/handler-by-route.ts';
import { created, ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { signUpload } from '#shared/runtime/providers/files.ts';
import { completionFor } from '#shared/runtime/providers/media-context.ts';
import { mediaUploads } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract, creationContract } from './contract.ts';

const contracts = [contract, creationContract];

interface Dependencies extends WrapperDependencies {
  uploads: MediaUploadStore;
  signUpload: SignUpload;
  contextFor: (workspace: Workspace, requestId: string) => CompletionContext;
}

export const makeHandler = (dependencies: Dependencies) =>
  handlerByRoute(contracts, ({ name }) =>
    name === contract.name ? makeCompletion(dependencies) : makeCreation(dependencies),
  );

export const handler = serve(contracts, makeHandler, {
  access,
  uploads: mediaUploads,
  signUpload,
  contextFor: completionFor,
});

function makeCompletion({ contextFor, ...dependencies }: Dependencies) {
  return createHandler(
    contract,
    dependencies,
    async ({ number, workspace, params, requestId }) =>
      ok({ id: await completeUpload(number, parseUuid(params.upload), contextFor(workspace, requestId)) }),
    { explain: explainUploadError },
  );
}

function makeCreation({ uploads, signUpload, ...dependencies }: Dependencies) {
  const { now } = dependencies;
  return createHandler(creationContract, dependencies, async ({ number, body }) => {
    const { upload, url, expiresAt } = await createUpload(number.id, body, { uploads, signUpload, now });
    return created({
      upload,
      url,
      method: 'PUT' as const,
      headers: { 'content-type': body.type, 'content-length': String(body.size) },
      expires_at: timestamp(expiresAt),
    });
  });
}
