import { parseUuid } from '#shared/base/ids.ts';
import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import { type CompletionContext, completeUpload } from '#shared/domain/media/complete-upload.ts';
import { explainUploadError } from '#shared/http/media/explain-media-error.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { completionFor } from '#shared/runtime/providers/media-context.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

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

export const handler = serve(contract, makeHandler, { access, contextFor: completionFor });
