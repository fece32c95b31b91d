import type { Workspace } from '#shared/accounts/workspace.ts';
import { explainUploadError } from '#shared/media/media-error.ts';
import type { UpstreamUploads } from '#shared/media/media-graph.ts';
import { uploadRequestFile } from '#shared/media/media-upload.ts';
import { readFile } from '#shared/media/request-file.ts';
import { keyedRequests } from '#shared/operations/compose.ts';
import { createHandler, type KeyedDependencies, ok } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { uploadClient } from './compose.ts';
import { uploadMedia as contract } from './contracts.ts';

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

export const start = serve(contract, makeHandler, { upstream: uploadClient, keyedRequests });
