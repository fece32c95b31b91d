import { ServiceError } from '#shared/base/service-error.ts';
import { toPermissionObject } from '#shared/calls/call-permission.ts';
import { explainCallError } from '#shared/calls/explain-call-error.ts';
import { access } from '#shared/compose/accounts.ts';
import { callClient } from '#shared/compose/clients.ts';
import { createHandler } from '#shared/operations/create-handler.ts';
import { ok } from '#shared/operations/respond.ts';
import { serve } from '#shared/operations/serve.ts';
import { type CallDependencies, getCallPermission as contract } from './contracts.ts';

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

export const handler = serve(contract, makeHandler, { access, upstream: callClient });
