import { ServiceError } from '#shared/domain/errors/service-error.ts';
import type { CallDependencies } from '#shared/http/calls/call-dependencies.ts';
import { explainCallError } from '#shared/http/calls/explain-call-error.ts';
import { toPermissionObject } from '#shared/http/calls/permission-object.ts';
import { createHandler } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { callClient } from '#shared/runtime/providers/clients.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

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
