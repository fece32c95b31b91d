import { withCallErrors } from '#shared/domain/calls/call-errors.ts';
import type { CallDependencies } from '#shared/http/calls/call-dependencies.ts';
import { explainCallError } from '#shared/http/calls/explain-call-error.ts';
import { createHandler } from '#shared/http/wrapper/create-handler.ts';
import { handlerByRoute } from '#shared/http/wrapper/handler-by-route.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { callClient } from '#shared/runtime/providers/clients.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract, rejectionContract } from './contract.ts';

const contracts = [contract, rejectionContract];

const actions = { [contract.name]: 'terminate', [rejectionContract.name]: 'reject' } as const;

export const makeHandler = (dependencies: CallDependencies) =>
  handlerByRoute(contracts, (contract) =>
    createHandler(
      contract,
      dependencies,
      async ({ number, workspace, user, body: { call_id: callId } }) => {
        const action = actions[contract.name];
        await withCallErrors({ action, number, user, callId }, () =>
          dependencies.upstream(workspace)[action](number.phone_number_id, callId),
        );
        return ok({ success: true });
      },
      { explain: explainCallError },
    ),
  );

export const handler = serve(contracts, makeHandler, { access, upstream: callClient });
