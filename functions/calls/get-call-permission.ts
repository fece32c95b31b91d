import { ServiceError } from '#shared/base/service-error.ts';
import { toPermissionObject } from '#shared/calls/call-permission.ts';
import { explainCallError } from '#shared/calls/explain-call-error.ts';
import { createHandler } from '#shared/operations/create-handler.ts';
import { ok } from '#shared/operations/respond.ts';
import { serve } from '#shared/operations/serve.ts';
import { type CallDependencies, callClient } from './compose.ts';
import { getCallPermission as contract } from './contracts.ts';

export const makeHandler = (dependencies: CallDependencies) =>
  createHandler(
    contract,
    dependencies,
    async ({ number, workspace, query }) => {
      if (workspace.waba_id === null) throw new ServiceError('workspace.no-business-account');
      const contact = { to: query.user_wa_id, recipient: query.recipient };
      const permission = await dependencies.upstream(workspace).permission(number.phone_number_id, contact);
      return ok(toPermissionObject(number, workspace.waba_id, contact, permission));
    },
    { explain: explainCallError },
  );

export const start = serve(contract, makeHandler, { upstream: callClient });
