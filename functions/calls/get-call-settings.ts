import type { Workspace } from '#shared/accounts/workspace.ts';
import { explainCallError } from '#shared/calls/call-errors.ts';
import type { UpstreamCallSettings } from '#shared/calls/calls-graph.ts';
import { createHandler, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { callSettingsClient } from './compose.ts';
import { getCallSettings as contract } from './contracts.ts';

interface Dependencies extends WrapperDependencies {
  /** Creates a client for one operation, whose time limit starts with the creation. */
  upstream: (workspace: Workspace) => Pick<UpstreamCallSettings, 'read'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(
    contract,
    dependencies,
    async ({ number, workspace }) => ok(await dependencies.upstream(workspace).read(number.phone_number_id)),
    { explain: explainCallError },
  );

export const start = serve(contract, makeHandler, { upstream: callSettingsClient });
