import * as z from 'zod/mini';
import { callId, callOptions, callResponse, sdp, sdpHeaders } from '#shared/http/calls/schemas.ts';
import { defineContract } from '#shared/http/contract/contract.ts';
import { callUses } from '#shared/runtime/call-uses.ts';

const body = z.strictObject({ call_id: callId, sdp, ...callOptions });
z.globalRegistry.add(body, { id: 'CallAcceptance' });

export const contract = defineContract({
  name: 'accept-call',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/calls/accept',
  summary: 'Accept a call from a contact',
  description:
    'Send the SDP answer to the offer in the `connect` event within 30 to 60 seconds. You can safely send the same SDP answer again.',
  tag: 'Calls',
  caller: 'number-caller',
  body,
  responses: { 200: { description: 'The call is accepted', body: callResponse } },
  optionalHeaders: sdpHeaders,
  uses: callUses,
  timeoutSeconds: 28,
});
