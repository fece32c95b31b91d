import * as z from 'zod/mini';
import { participantSpellings } from '../core/contacts.ts';

const statusNameSchema = z.enum(['sent', 'delivered', 'read', 'played', 'failed']);

const stepSchema = z.strictObject({
  status: statusNameSchema,
  /** Of a `failed` status. */
  code: z.optional(z.int()),
  /** After the step before it. */
  after_ms: z.optional(z.int().check(z.gte(0), z.lte(86_400_000))),
});

/** The statuses that a message gets, one after another: names, or objects with a code or a delay. */
export const statusScriptSchema = z.array(
  z.union([
    stepSchema,
    z.pipe(
      statusNameSchema,
      z.transform((status): z.infer<typeof stepSchema> => ({ status })),
    ),
  ]),
);

export type StatusStep = z.infer<typeof stepSchema>;
export type StatusScript = readonly StatusStep[];

/** Habits of the platform that tests change. */
export const sendingSettingsSchema = z.strictObject({
  /** How many service messages of a number are free in a month. */
  free_service_messages: z.int().check(z.gte(0)),
  /** Whether the window of a contact is open by default, so that messages other than templates arrive. */
  windows: z.enum(['open', 'closed']),
  /** The phone numbers or user ids of the people in every group. Each has statuses of their own. */
  group_participants: z.array(z.string().check(z.minLength(1))).check(z.minLength(1)),
  /** How a status of a group names its participant. */
  group_participant_spelling: z.enum(participantSpellings),
  /** What becomes of a message. */
  statuses: statusScriptSchema,
});

export type SendingSettings = z.infer<typeof sendingSettingsSchema>;

export const defaultSendingSettings: SendingSettings = {
  free_service_messages: 1000,
  windows: 'open',
  group_participants: ['16505551234', '16505551235'],
  group_participant_spelling: 'recipient_participant',
  statuses: [{ status: 'sent' }, { status: 'delivered' }],
};

/** Holds the settings, which change while the platform runs. */
export interface Sending {
  settings: SendingSettings;
}
