import { act } from '#shared/domain/calls/act.ts';
import { ok } from '#shared/http/answers.ts';
import { explainCallError } from '#shared/http/calls/explain-call-error.ts';
import { createHandler } from '#shared/http/create-handler.ts';
import { type CallDependencies, callRuntime } from '#shared/runtime/calls.ts';
import { contract } from './contract.ts';

export const makeHandler = (dependencies: CallDependencies) =>
  createHandler(
    contract,
    dependencies,
    async ({ number, user, body: { call_id: callId } }) => {
      await act({ action: 'reject', number, user, callId }, () =>
        dependencies.upstream().reject(number.phone_number_id, callId),
      );
      return ok({ success: true });
    },
    explainCallError,
  );

export const handler = makeHandler(callRuntime());
