import * as z from 'zod/mini';
import type { FieldRule } from '#shared/base/field-error.ts';
import { describeComponent, textUpTo } from '#shared/http/members.ts';
import { callbackData } from '#shared/messages/recipient.ts';

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

const limit = z.object({ time_period: z.string(), max_allowed: z.int(), current_usage: z.int() });

const action = z.object({ action_name: z.string(), can_perform_action: z.boolean(), limits: z.array(limit) });

const permission = z.object({ status: z.string(), expiration_time: z.int() });

export const callPermissionSchema = z.object({
  number: z.object({
    uuid: z.uuid(),
    waba_id: z.string(),
    user_wa_id: z.optional(z.string()),
    recipient: z.optional(z.string()),
    to: z.string(),
  }),
  calling: z.object({ messaging_product: z.literal('whatsapp'), permission, actions: z.array(action) }),
});
/* @__PURE__ */ describeComponent('CallPermission', callPermissionSchema, () => ({
  number: 'The two sides of the calls.',
  'number.uuid': 'Id of the number.',
  'number.waba_id': 'Id of the business account on the messaging platform.',
  'number.user_wa_id': "The contact's id on the messaging platform, as in the request; absent with `recipient`.",
  'number.recipient': 'The user id of the contact, as in the request; absent with `user_wa_id`.',
  'number.to': 'The number that calls are placed from.',
  calling: 'What the number may do with the contact.',
  'calling.messaging_product': 'Always `whatsapp`.',
  'calling.permission': 'Whether the contact permits calls.',
  'calling.permission.status': '`no_permission`, `temporary` or `permanent`; the platform may add others.',
  'calling.permission.expiration_time':
    'When the permission expires, in Unix seconds; `0` unless the permission is temporary.',
  'calling.actions': 'The actions and their limits.',
  'calling.actions[].action_name': '`send_call_permission_request` or `start_call`.',
  'calling.actions[].can_perform_action': 'Whether the action can be performed now.',
  'calling.actions[].limits': 'The limits of the action.',
  'calling.actions[].limits[].time_period': 'ISO 8601 duration: `PT24H` (24 hours) or `P7D` (7 days).',
  'calling.actions[].limits[].max_allowed': 'How often the action may be performed in the period.',
  'calling.actions[].limits[].current_usage': 'How often the action has been performed in the current period.',
}));

export function exactlyOne<One extends string, Other extends string>(one: One, other: Other) {
  type Fields = { [Name in One | Other]?: unknown };
  const always = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null;
  const rule = (name: FieldRule) => ({ params: { rule: name, other }, path: [one], when: always });
  return [
    z.refine<Fields>((fields) => (fields[one] ?? fields[other]) !== undefined, rule('required_without')),
    z.refine<Fields>((fields) => fields[one] === undefined || fields[other] === undefined, rule('only_one')),
  ] as const;
}

const longestPurpose = 250;

const capture = z.looseObject({
  status: z.string(),
  purpose: z.optional(textUpTo(longestPurpose)),
  announcement_language: z.optional(z.string()),
});

export const callOptions = {
  biz_opaque_callback_data: z.optional(callbackData),
  recording: z.optional(capture),
  transcription: z.optional(capture),
};

const captureTexts = <What extends string>(what: What) =>
  ({
    [what]: `Asks the platform for a ${what} of the call. Further members are passed on.`,
    [`${what}.status`]: `Whether there is to be a ${what}, in the platform's words.`,
    [`${what}.purpose`]: 'Why, as the platform announces it to the contact.',
    [`${what}.announcement_language`]: 'The language of the announcement.',
  }) as Record<What, string>;

export const callOptionTexts = () => ({
  biz_opaque_callback_data: 'Any text of yours. It comes back in the events of the call.',
  ...captureTexts('recording'),
  ...captureTexts('transcription'),
});

const filled = z.refine<string>((text) => text !== '', { params: { rule: 'required' } });

/** Accepts any content: the service reports the findings in an SDP but never rejects it. */
export const sdp = z.string().check(filled);
z.globalRegistry.add(sdp, { minLength: 1 });

export const callId = z.string().check(filled);
z.globalRegistry.add(callId, { minLength: 1 });

export const callResponse = z.object({ success: z.boolean() });
/* @__PURE__ */ describeComponent('CallAnswer', callResponse, () => ({ success: 'Always `true`.' }));

export const sdpHeaders = {
  'X-Sdp-Findings':
    'The names of the findings on the SDP, separated by commas. Absent if there are none (docs/calling.md)',
} as const;
