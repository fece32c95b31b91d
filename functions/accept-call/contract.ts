import * as z from 'zod/mini';
import { callAnswer, callId, sdp, sdpHeaders } from '#shared/http/calls/schemas.ts';
import { defineContract } from '#shared/http/contract.ts';
import { callUses } from '#shared/runtime/call-uses.ts';

const body = z.object({ call_id: callId, sdp });
z.globalRegistry.add(body, { id: 'CallAcceptance' });

export const contract = defineContract({
  name: 'accept-call',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/calls/accept',
  summary: 'Accept a call of a contact',
  description:
    'With the answer to the offer of the `connect` event, within 30 to 60 seconds. Sent again with the same answer, it does no harm.',
  tag: 'Calls',
  caller: 'number-caller',
  body,
  answers: { 200: { description: 'The call is accepted', body: callAnswer } },
  optionalHeaders: sdpHeaders,
  uses: callUses,
  timeoutSeconds: 28,
});
