import * as z from 'zod/mini';
import {
  callId,
  callOptions,
  callOptionTexts,
  callPermissionSchema,
  callResponse,
  callSettings,
  exactlyOne,
  sdp,
  sdpHeaders,
} from '#shared/calls/schema.ts';
import { describeComponent, describeMembers } from '#shared/http/members.ts';
import { contactId, contactUserId } from '#shared/messages/recipient.ts';
import { defineContract, type Uses } from '#shared/operations/contract.ts';

/** What every operation on calls uses. */
export const callUses = { upstream: 'call' } as const satisfies Uses;

export const getCallPermission = /* @__PURE__ */ defineContract(() => {
  const query = z
    .strictObject({ user_wa_id: z.optional(contactId), recipient: z.optional(contactUserId) })
    .check(...exactlyOne('user_wa_id', 'recipient'));
  /* @__PURE__ */ describeMembers(query, () => ({
    user_wa_id: "The contact's id on the platform, digits only. Required without `recipient`.",
    recipient: 'The user id of a contact whose phone number is unknown, instead of `user_wa_id`.',
  }));

  return {
    name: 'get-call-permission',
    method: 'GET',
    path: '/v2/messaging/numbers/{number}/calls/call-permissions',
    summary: 'Look up whether a contact may be called',
    description:
      'Every request queries the platform, which limits look-ups. The contact is `user_wa_id` or, without a phone number, `recipient`: exactly one of the two.',
    tag: 'Calls',
    caller: 'number-caller',
    query,
    responses: { 200: { description: 'The permission and the usage of its limits', body: callPermissionSchema } },
    throws: ['workspace.no-business-account'],
    uses: callUses,
  };
});

export const makeCall = /* @__PURE__ */ defineContract(() => {
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

  return {
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
  };
});

export const acceptCall = /* @__PURE__ */ defineContract(() => {
  const body = z.strictObject({ call_id: callId, sdp, ...callOptions });
  /* @__PURE__ */ describeComponent('CallAcceptance', body, () => ({
    call_id: 'The `id` of the call in its `connect` event.',
    sdp: 'The SDP answer (RFC 8866), forwarded unchanged.',
    ...callOptionTexts(),
  }));

  return {
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
  };
});

export const rejectCall = /* @__PURE__ */ defineContract(() => {
  const body = z.strictObject({ call_id: callId });
  /* @__PURE__ */ describeMembers(body, () => ({ call_id: 'The `id` of the call in its `connect` event.' }));

  return {
    name: 'reject-call',
    method: 'POST',
    path: '/v2/messaging/numbers/{number}/calls/reject',
    summary: 'Reject a call from a contact',
    tag: 'Calls',
    caller: 'number-caller',
    body,
    responses: { 200: { description: 'The call is rejected', body: callResponse } },
    uses: callUses,
  };
});

export const hangUpCall = /* @__PURE__ */ defineContract(() => {
  const body = z.strictObject({ call_id: callId });
  /* @__PURE__ */ describeMembers(body, () => ({ call_id: 'The `id` of the call in its events.' }));

  return {
    name: 'hang-up-call',
    method: 'POST',
    path: '/v2/messaging/numbers/{number}/calls/hang-up',
    summary: 'End a call',
    tag: 'Calls',
    caller: 'number-caller',
    body,
    responses: { 200: { description: 'The call has ended', body: callResponse } },
    uses: callUses,
  };
});

export const getCallSettings = /* @__PURE__ */ defineContract(() => ({
  name: 'get-call-settings',
  method: 'GET',
  path: '/v2/messaging/numbers/{number}/calls/settings',
  summary: 'Read the call settings of a number',
  description:
    'The settings that the messaging platform has for calls of the number, in its own form: the content of `calling`. Passwords of SIP are left out.',
  tag: 'Calls',
  caller: 'number-user',
  responses: { 200: { description: 'The settings', body: callSettings } },
  uses: callUses,
}));

export const updateCallSettings = /* @__PURE__ */ defineContract(() => ({
  name: 'update-call-settings',
  method: 'PUT',
  path: '/v2/messaging/numbers/{number}/calls/settings',
  summary: 'Change the call settings of a number',
  description:
    'For owners. The body is passed to the messaging platform as `calling`. Members that are absent stay as they are. Each member that is present is replaced as a whole, except `sip`. The request can be repeated.',
  tag: 'Calls',
  caller: 'number-owner',
  body: callSettings,
  responses: { 200: { description: 'The platform has changed the settings', body: callResponse } },
  uses: callUses,
}));
