import * as z from 'zod/mini';
import { callAnswer, callId } from '../../shared/calls/schemas.ts';
import { callUses } from '../../shared/calls/uses.ts';
import { defineContract } from '../../shared/http/contract.ts';

const body = z.object({ call_id: callId });

export const contract = defineContract({
  name: 'reject-call',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/calls/reject',
  summary: 'Reject a call of a contact',
  tag: 'Calls',
  caller: 'number-caller',
  body,
  answers: { 200: { description: 'The call is rejected', body: callAnswer } },
  uses: callUses,
});
