import * as z from 'zod/mini';
import { describeComponent } from '#shared/http/descriptions.ts';

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
/* @__PURE__ */ describeComponent('CallSettings', callSettings, () => ({
  status: 'Whether the number has calling: `ENABLED` or `DISABLED`.',
  call_icon_visibility: 'Whether contacts see the call button: `DEFAULT` or `DISABLE_ALL`.',
  call_icons: 'In which countries contacts see the call button: `restrict_to_user_countries`.',
  call_hours: 'When the number takes calls: `status`, `timezone_id`, `weekly_operating_hours`, `holiday_schedule`.',
  callback_permission_status: 'Whether a contact who calls permits to be called back: `ENABLED` or `DISABLED`.',
  sip: 'Calls over SIP: `status` and `servers`. With `ENABLED`, calls cannot be handled here.',
  srtp_key_exchange_protocol: 'How the keys of the audio are exchanged: `DTLS` or `SDES`.',
  audio: 'The codecs besides Opus: `additional_codecs`.',
  voicemail: 'Whether contacts can leave a message: `status`, `triggers`, and `audio` with the announcement.',
}));
