import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import { uploadRequestFile } from '#shared/domain/media/upload-file.ts';
import type { UpstreamUploads } from '#shared/domain/media/upstream-uploads.ts';
import { explainUploadError } from '#shared/http/media/explain-media-error.ts';
import { readFile } from '#shared/http/media/read-file.ts';
import { createHandler, type KeyedDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { uploadClient } from '#shared/runtime/providers/clients.ts';
import { keyedRequests } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

interface Dependencies extends KeyedDependencies {
  /** Creates a client for one upload, whose time limit starts with the creation. */
  upstream: (workspace: Workspace) => UpstreamUploads;
}

export const makeHandler = ({ upstream, ...dependencies }: Dependencies) =>
  createHandler(
    contract,
    dependencies,
    async ({ number, workspace, file }) => {
      const { now } = dependencies;
      return ok({ id: await uploadRequestFile(number, file, { upstream: upstream(workspace), now }) });
    },
    { explain: explainUploadError, readFile },
  );

export const handler = serve(contract, makeHandler, { access, upstream: uploadClient, keyedRequests });
