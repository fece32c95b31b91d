import * as z from 'zod/mini';

const limit = z.nullable(z.int().check(z.gte(0)));

/** What Meta changes now and then, and tests want smaller; `null` is no limit. */
export const callSettingsSchema = z.strictObject({
  /** How long a call rings before it has ended unanswered. */
  ring_seconds: z.number().check(z.gte(0), z.lte(86_400)),
  /** Of a phone number at once. */
  concurrent_calls: limit,
  /** Of the business with a contact, that were answered, in 24 hours. */
  connected_calls_per_day: z.int().check(z.gte(0)),
  /** Of a phone number; Meta publishes no figure. */
  calls_per_second: limit,
  /** Of a phone number. Meta's limit is 5, which a test would reach by chance. */
  permission_reads_per_second: limit,
});

export type CallSettings = z.infer<typeof callSettingsSchema>;

export const defaultCallSettings: CallSettings = {
  ring_seconds: 45,
  concurrent_calls: 1000,
  connected_calls_per_day: 100,
  calls_per_second: null,
  permission_reads_per_second: null,
};
