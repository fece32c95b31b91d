import * as z from 'zod/mini';
import { callResponse } from '#shared/http/calls/schemas.ts';
import { defineContract } from '#shared/http/contract/contract.ts';
import { callUses } from '#shared/runtime/call-uses.ts';

const text = z.optional(z.nullable(z.string()));
const part = z.optional(z.nullable(z.looseObject({})));

/** The upstream's own form. It checks the values. */
export const callSettings = z.looseObject({
  status: text,
  call_icon_visibility: text,
  call_icons: part,
  call_hours: part,
  callback_permission_status: text,
  sip: part,
  srtp_key_exchange_protocol: text,
  audio: part,
  voicemail: part,
});
z.globalRegistry.add(callSettings, { id: 'CallSettings' });

export const contract = defineContract({
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
});

export const changeContract = defineContract({
  name: 'update-call-settings',
  servedBy: contract.name,
  method: 'PUT',
  path: contract.path,
  summary: 'Change the call settings of a number',
  description:
    'For owners. The body is passed to the messaging platform as `calling`. Members that are absent stay as they are. Each member that is present is replaced as a whole, except `sip`. The request can be repeated.',
  tag: 'Calls',
  caller: 'number-owner',
  body: callSettings,
  responses: { 200: { description: 'The platform has changed the settings', body: callResponse } },
  uses: callUses,
});
