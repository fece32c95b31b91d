import type { Workspace } from '#shared/accounts/workspace.ts';
import { parseUuid } from '#shared/base/ids.ts';
import { explainUploadError } from '#shared/media/media-error.ts';
import { type CompletionContext, completeUpload } from '#shared/media/media-upload.ts';
import { createHandler, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { completionFor } from './compose.ts';
import { completeMediaUpload as contract } from './contracts.ts';

interface Dependencies extends WrapperDependencies {
  contextFor: (workspace: Workspace, requestId: string) => CompletionContext;
}

export const makeHandler = ({ contextFor, ...dependencies }: Dependencies) =>
  createHandler(
    contract,
    dependencies,
    async ({ number, workspace, params, requestId }) =>
      ok({ id: await completeUpload(number, parseUuid(params.upload), contextFor(workspace, requestId)) }),
    { explain: explainUploadError },
  );

export const start = serve(contract, makeHandler, { contextFor: completionFor });
