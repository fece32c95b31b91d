import { act } from '../../shared/calls/act.ts';
import { type CallDependencies, callRuntime } from '../../shared/calls/runtime.ts';
import { ok } from '../../shared/http/answers.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { contract } from './contract.ts';

export const makeHandler = (dependencies: CallDependencies) =>
  createHandler(contract, dependencies, async ({ number, user, body: { call_id: callId } }) => {
    await act({ action: 'reject', number, user, callId }, () =>
      dependencies.upstream().reject(number.phone_number_id, callId),
    );
    return ok({ success: true });
  });

export const handler = makeHandler(callRuntime());
