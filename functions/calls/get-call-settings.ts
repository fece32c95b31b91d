import { explainCallError } from '#shared/calls/call-errors.ts';
import { createHandler, ok } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { type CallSettingsDependencies, callSettingsClient } from './compose.ts';
import { getCallSettings as contract } from './contracts.ts';

export const makeHandler = (dependencies: CallSettingsDependencies) =>
  createHandler(
    contract,
    dependencies,
    async ({ number, workspace }) => ok(await dependencies.upstream(workspace).read(number.phone_number_id)),
    { explain: explainCallError },
  );

export const start = serve(contract, makeHandler, { upstream: callSettingsClient });
