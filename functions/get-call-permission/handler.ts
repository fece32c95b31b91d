import { presentPermission } from '../../shared/calls/permission.ts';
import { type CallDependencies, callRuntime } from '../../shared/calls/runtime.ts';
import { callTexts } from '../../shared/calls/texts.ts';
import { ok } from '../../shared/http/answers.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { contract } from './contract.ts';

export const makeHandler = (dependencies: CallDependencies) =>
  createHandler(contract, dependencies, async ({ number, workspace, query }) => {
    if (workspace.waba_id === null) throw new ServiceError('refused', callTexts.noBusinessAccount);
    const permission = await dependencies.upstream().permission(number.phone_number_id, query.user_wa_id);
    return ok(presentPermission(number, workspace.waba_id, query.user_wa_id, permission));
  });

export const handler = makeHandler(callRuntime());
