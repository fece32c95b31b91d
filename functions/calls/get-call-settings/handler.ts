import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import type { UpstreamCallSettings } from '#shared/domain/calls/upstream-call-settings.ts';
import { explainCallError } from '#shared/http/calls/explain-call-error.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { callSettingsClient } from '#shared/runtime/providers/clients.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

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

export const handler = serve(contract, makeHandler, { access, upstream: callSettingsClient });
