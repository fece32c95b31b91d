import * as z from 'zod/mini';
import { participantSpellings } from '../core/contacts.ts';
import { statusScriptSchema } from './status-script.ts';

const count = z.int().check(z.gte(1));

/** Limits and habits of the platform that tests change. `null` means no limit. */
export const sendingSettingsSchema = z.strictObject({
  /** Messages of one phone number. A number that was idle may send a second's worth at once. */
  messages_per_second: z.nullable(count),
  /** Messages of one phone number to one contact: a burst, and then one more after each interval. */
  pair_burst: z.nullable(count),
  pair_seconds: z.number().check(z.gt(0)),
  /** How often a throttled Flow may be sent. */
  throttled_flow_messages_per_hour: z.nullable(z.int().check(z.gte(0))),
  /** How many service messages of a number are free in a month. */
  free_service_messages: z.int().check(z.gte(0)),
  /** Whether the window of a contact is open by default, so that messages other than templates arrive. */
  windows: z.enum(['open', 'closed']),
  /** The templates that exist. `null` means every name. */
  templates: z.nullable(z.array(z.string())),
  /** The calling code that the platform puts before a `to` without a plus sign, as Meta says that it may. */
  prepended_calling_code: z.nullable(z.string().check(z.regex(/^[1-9]\d{0,2}$/))),
  /** Whether the response names a recipient by the digits that it got, or by the platform's own form of the number. */
  wa_ids: z.enum(['as_sent', 'own']),
  /** The phone numbers or user ids of the people in every group. Each has statuses of their own. */
  group_participants: z.array(z.string().check(z.minLength(1))).check(z.minLength(1)),
  /** How a status of a group names its participant. */
  group_participant_spelling: z.enum(participantSpellings),
  /** Whether messages may have a category in place of a template (Direct Send). */
  direct_send: z.enum(['enabled', 'not_enabled', 'blocked']),
  /** Whether the business has accepted the terms of the API for marketing messages. */
  marketing_messages: z.enum(['onboarded', 'not_onboarded']),
  /** Whether marketing templates may also be sent as ordinary messages. */
  marketing_by_messages: z.boolean(),
  /** What becomes of a message that no other script is for. */
  statuses: statusScriptSchema,
});

export type SendingSettings = z.infer<typeof sendingSettingsSchema>;

export const defaultSendingSettings: SendingSettings = {
  messages_per_second: 80,
  pair_burst: 45,
  pair_seconds: 6,
  throttled_flow_messages_per_hour: 10,
  free_service_messages: 1000,
  windows: 'open',
  templates: null,
  prepended_calling_code: null,
  wa_ids: 'as_sent',
  group_participants: ['16505551234', '16505551235'],
  group_participant_spelling: 'recipient_participant',
  direct_send: 'enabled',
  marketing_messages: 'onboarded',
  marketing_by_messages: true,
  statuses: [{ status: 'sent' }, { status: 'delivered' }],
};
