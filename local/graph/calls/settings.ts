import * as z from 'zod/mini';

const limit = z.nullable(z.int().check(z.gte(0)));

/** Limits that Meta changes now and then, and that tests make smaller. `null` means no limit. */
export const callSettingsSchema = z.strictObject({
  /** How long a call rings before it ends unanswered. */
  ring_seconds: z.number().check(z.gte(0), z.lte(86_400)),
  /** Calls of one phone number at once. */
  concurrent_calls: limit,
  /** Answered calls of the business to one contact in 24 hours. */
  connected_calls_per_day: z.int().check(z.gte(0)),
  /** Calls of one phone number. Meta publishes no figure. */
  calls_per_second: limit,
  /** Reads by one phone number. Meta's limit is 5, which a test would reach by accident. */
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
