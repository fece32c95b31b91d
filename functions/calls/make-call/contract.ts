import * as z from 'zod/mini';
import { contactId, contactUserId } from '#shared/http/calls/contact-schemas.ts';
import { callOptions, callResponse, exactlyOne, sdp, sdpHeaders } from '#shared/http/calls/schemas.ts';
import { defineContract } from '#shared/http/contract/contract.ts';
import { callUses } from '#shared/runtime/call-uses.ts';

const body = z
  .strictObject({
    to: z.optional(contactId),
    recipient: z.optional(contactUserId),
    connection: z.strictObject({ webrtc: z.strictObject({ sdp }) }),
    session: z.strictObject({ sdp, sdp_type: z.optional(z.string()) }),
    ...callOptions,
  })
  .check(...exactlyOne('to', 'recipient'));
z.globalRegistry.add(body, { id: 'CallRequest', oneOf: [{ required: ['to'] }, { required: ['recipient'] }] });

export const contract = defineContract({
  name: 'make-call',
  method: 'POST',
  path: '/v2/messaging/numbers/{number}/calls/make',
  summary: 'Call a contact',
  description:
    "The call starts with `session.sdp` as the offer, whatever `sdp_type` says. The response has the id of the call in the header `x-call-id`. The `connect` event at `calls_webhook` brings the contact's SDP answer. The contact is `to` or, without a phone number, `recipient`: exactly one of the two.",
  tag: 'Calls',
  caller: 'number-caller',
  idempotency: 'never-again',
  body,
  responses: {
    200: {
      description: 'The call has started. `session.sdp` was sent as an offer, even if `session.sdp_type` is `answer`',
      body: callResponse,
    },
  },
  optionalHeaders: { ...sdpHeaders, 'X-Call-Id': 'The id of the call. Absent if no call has started' },
  uses: callUses,
});
