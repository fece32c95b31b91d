import * as z from 'zod/mini';
import { callUses } from '#functions/calls/call-uses.ts';
import { callOptions, callOptionTexts, callResponse, exactlyOne, sdp, sdpHeaders } from '#shared/calls/schema.ts';
import { describeComponent } from '#shared/http/descriptions.ts';
import { contactId, contactUserId } from '#shared/messages/contact-schema.ts';
import { defineContract } from '#shared/operations/contract.ts';

const body = z
  .strictObject({
    to: z.optional(contactId),
    recipient: z.optional(contactUserId),
    connection: z.strictObject({ webrtc: z.strictObject({ sdp }) }),
    session: z.strictObject({ sdp, sdp_type: z.optional(z.string()) }),
    ...callOptions,
  })
  .check(...exactlyOne('to', 'recipient'));
z.globalRegistry.add(body, { oneOf: [{ required: ['to'] }, { required: ['recipient'] }] });
/* @__PURE__ */ describeComponent('CallRequest', body, () => ({
  to: "The contact's id on the platform, digits only.",
  recipient: 'The user id of a contact whose phone number is unknown, instead of `to`.',
  connection: 'The WebRTC connection.',
  'connection.webrtc': 'The WebRTC connection of the caller.',
  'connection.webrtc.sdp': 'SDP (RFC 8866) of the connection; the same as `session.sdp`.',
  session: 'The session of the call.',
  'session.sdp': 'SDP (RFC 8866) of the offer. The call is made with it; it is forwarded unchanged.',
  'session.sdp_type':
    '`offer`, the default. Other values, such as `answer`, are accepted and ignored: the SDP is sent as an offer.',
  ...callOptionTexts(),
}));

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
