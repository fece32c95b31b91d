import { withCallErrors } from '#shared/domain/calls/call-errors.ts';
import type { CallDependencies } from '#shared/http/calls/call-dependencies.ts';
import { explainCallError } from '#shared/http/calls/explain-call-error.ts';
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
    async ({ number, workspace, user, body: { call_id: callId } }) => {
      await withCallErrors({ action: 'reject', number, user, callId }, () =>
        dependencies.upstream(workspace).reject(number.phone_number_id, callId),
      );
      return ok({ success: true });
    },
    { explain: explainCallError },
  );

export const handler = serve(contract, makeHandler, { access, upstream: callClient });
