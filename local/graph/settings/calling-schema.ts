import * as z from 'zod/mini';
import { GraphError } from '../core/graph-errors.ts';

/**
 * What Graph takes as `calling` of a phone number (Meta's pages "Configure Call Settings" and "Configure SIP", July
 * 2026). Members that are not named here pass.
 */

const days = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const;
const maxHoursOfDay = 2;
const maxHolidays = 20;
const maxVoicemailSeconds = 30;

const onOff = z.enum(['ENABLED', 'DISABLED']);
const timeOfDay = z.string().check(z.regex(/^([01]\d|2[0-3])[0-5]\d$/, 'must be a time such as 0930'));
const date = z.string().check(
  z.refine((text) => {
    const parsed = new Date(`${text}T00:00:00Z`);
    return !Number.isNaN(parsed.valueOf()) && parsed.toISOString().startsWith(text);
  }, 'must be a date such as 2026-12-25'),
);
const timeZone = z.string().check(z.refine(isTimeZone, 'must be a time zone such as America/Manaus'));

const openingHours = z
  .looseObject({ day_of_week: z.enum(days), open_time: timeOfDay, close_time: timeOfDay })
  .check(z.refine(({ open_time, close_time }) => open_time < close_time, 'must open before it closes'));

const weeklyHours = z.array(openingHours).check(
  z.refine(
    (hours) => days.every((day) => hours.filter(({ day_of_week }) => day_of_week === day).length <= maxHoursOfDay),
    `has more than ${maxHoursOfDay} entries for a day`,
  ),
  z.refine((hours) => !hours.some((one) => hours.some((other) => overlap(one, other))), 'has hours that overlap'),
);

const holiday = z
  .looseObject({ date, start_time: timeOfDay, end_time: timeOfDay })
  .check(z.refine(({ start_time, end_time }) => start_time < end_time, 'must start before it ends'));

const callHours = z.looseObject({
  status: onOff,
  timezone_id: timeZone,
  weekly_operating_hours: weeklyHours,
  holiday_schedule: z._default(z.array(holiday).check(z.maxLength(maxHolidays, `has more than ${maxHolidays}`)), []),
});

const sipServer = z.looseObject({
  hostname: z.string().check(z.regex(/^(?=.*[a-z])[a-z0-9-]+(\.[a-z0-9-]+)+$/i, 'must be a domain name')),
  port: z._default(z.int().check(z.gte(1), z.lte(65_535)), 5061),
  request_uri_user_params: z.optional(z.record(z.string(), z.string())),
});

const announcement = z.looseObject({
  timeout_seconds: z.optional(z.int().check(z.gte(0), z.lte(maxVoicemailSeconds))),
});

/** What a request may change. A member that is absent stays as it is. */
export const callingSchema = z.looseObject({
  status: z.optional(onOff),
  call_icon_visibility: z.optional(z.enum(['DEFAULT', 'DISABLE_ALL'])),
  call_icons: z.optional(
    z.looseObject({
      restrict_to_user_countries: z.optional(
        z.array(z.string().check(z.regex(/^[A-Z]{2}$/, 'must be a country code such as BR'))),
      ),
    }),
  ),
  call_hours: z.optional(callHours),
  callback_permission_status: z.optional(onOff),
  sip: z.optional(
    z.looseObject({
      status: z.optional(onOff),
      webhook_delivery: z.optional(onOff),
      servers: z.optional(z.array(sipServer).check(z.maxLength(1, 'has more than one server'))),
    }),
  ),
  srtp_key_exchange_protocol: z.optional(z.enum(['DTLS', 'SDES'])),
  audio: z.optional(z.looseObject({ additional_codecs: z.optional(z.array(z.enum(['PCMA', 'PCMU']))) })),
  voicemail: z.optional(
    z.looseObject({
      status: z.optional(onOff),
      triggers: z.optional(z.array(z.enum(['REJECT', 'TIMEOUT']))),
      audio: z.optional(z.looseObject({ default: z.optional(announcement) })),
    }),
  ),
});

export type CallingChanges = z.infer<typeof callingSchema>;

/** Throws Graph's "Invalid parameter", which names the first member that is wrong. */
export function parseCalling(value: unknown): CallingChanges {
  const { data, error } = z.safeParse(callingSchema, value);
  if (data !== undefined) return data;
  const [issue] = error?.issues ?? [];
  const path = ['calling', ...(issue?.path ?? [])].map(String).join('.');
  throw new GraphError('invalid_parameter', `Param ${path}: ${issue?.message ?? 'is not valid'}`);
}

type Hours = z.infer<typeof openingHours>;

function overlap(one: Hours, other: Hours): boolean {
  if (one === other || one.day_of_week !== other.day_of_week) return false;
  return one.open_time < other.close_time && other.open_time < one.close_time;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
