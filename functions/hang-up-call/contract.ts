import * as z from 'zod/mini';
import { callAnswer, callId } from '../../shared/calls/schemas.ts';
import { callUses } from '../../shared/calls/uses.ts';
import { defineContract } from '../../shared/http/contract.ts';

const body = z.object({ call_id: callId });

export const contract = defineContract({
  name: 'hang-up-call',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/calls/hang-up',
  summary: 'End a call',
  tag: 'Calls',
  caller: 'number-caller',
  body,
  answers: { 200: { description: 'The call has ended', body: callAnswer } },
  uses: callUses,
});
