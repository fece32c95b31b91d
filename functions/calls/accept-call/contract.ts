import * as z from 'zod/mini';
import { callUses } from '#functions/calls/call-uses.ts';
import { callId, callOptions, callOptionTexts, callResponse, sdp, sdpHeaders } from '#shared/calls/schema.ts';
import { describeComponent } from '#shared/http/descriptions.ts';
import { defineContract } from '#shared/operations/contract.ts';

const body = z.strictObject({ call_id: callId, sdp, ...callOptions });
/* @__PURE__ */ describeComponent('CallAcceptance', body, () => ({
  call_id: 'The `id` of the call in its `connect` event.',
  sdp: 'The SDP answer (RFC 8866), forwarded unchanged.',
  ...callOptionTexts(),
}));

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
});
