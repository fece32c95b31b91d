import * as z from 'zod/mini';
import { callResponse, contactId, sdp, sdpHeaders } from '#shared/http/calls/schemas.ts';
import { defineContract } from '#shared/http/contract/contract.ts';
import { callUses } from '#shared/runtime/call-uses.ts';

const body = z.object({
  to: contactId,
  connection: z.object({ webrtc: z.object({ sdp }) }),
  session: z.object({ sdp, sdp_type: z.optional(z.string()) }),
});
z.globalRegistry.add(body, { id: 'CallRequest' });

export const contract = defineContract({
  name: 'make-call',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/calls/make',
  summary: 'Call a contact',
  description:
    "The call starts with `session.sdp` as the offer, whatever `sdp_type` says. The `connect` event at `calls_webhook` brings the id of the call and the contact's SDP answer.",
  tag: 'Calls',
  caller: 'number-caller',
  body,
  responses: { 200: { description: 'The call has started', body: callResponse } },
  optionalHeaders: sdpHeaders,
  uses: callUses,
});
