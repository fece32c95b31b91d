import * as z from 'zod/mini';

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
