import { explainCallError, withCallErrors } from '#shared/calls/call-errors.ts';
import { createHandler, ok } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { type CallDependencies, callClient } from './compose.ts';
import { rejectCall as contract } from './contracts.ts';

export const makeHandler = (dependencies: CallDependencies) =>
  createHandler(
    contract,
    dependencies,
    async ({ number, workspace, user, body: { call_id: callId } }) => {
      await withCallErrors({ action: 'reject', number, user, callId }, () =>
        dependencies.upstream(workspace).reject(number.phone_number_id, callId),
      );
      return ok({ success: true });
    },
    { explain: explainCallError },
  );

export const start = serve(contract, makeHandler, { upstream: callClient });
