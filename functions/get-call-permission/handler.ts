import { ServiceError } from '#shared/domain/errors/service-error.ts';
import { ok } from '#shared/http/answers.ts';
import { explainCallError } from '#shared/http/calls/explain-call-error.ts';
import { presentPermission } from '#shared/http/calls/permission.ts';
import { createHandler } from '#shared/http/create-handler.ts';
import { type CallDependencies, callRuntime } from '#shared/runtime/calls.ts';
import { contract } from './contract.ts';

export const makeHandler = (dependencies: CallDependencies) =>
  createHandler(
    contract,
    dependencies,
    async ({ number, workspace, query }) => {
      if (workspace.waba_id === null) throw new ServiceError('call.no-business-account');
      const permission = await dependencies.upstream().permission(number.phone_number_id, query.user_wa_id);
      return ok(presentPermission(number, workspace.waba_id, query.user_wa_id, permission));
    },
    explainCallError,
  );

export const handler = makeHandler(callRuntime());
