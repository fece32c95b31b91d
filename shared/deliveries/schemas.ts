import * as z from 'zod/mini';
import { dateTime, pageLimit, pageMembers } from '../http/schemas.ts';
import { targets } from '../numbers/number.ts';
import { deliveryStates, notificationKinds } from './delivery.ts';

const targetName = z.enum(targets);
const url = z.nullable(z.string());

/** The URLs of a number's targets; `null` where there is none. */
export const webhookSettingsSchema = z.object({ webhook: url, secondary_webhook: url, calls_webhook: url });
z.globalRegistry.add(webhookSettingsSchema, { id: 'WebhookSettings' });

const webhookUrl = z.optional(z.nullable(z.string().check(z.maxLength(255))));

/** What is absent stays, `null` takes a URL away. */
export const webhookSettingsBody = z.object({
  webhook: webhookUrl,
  secondary_webhook: webhookUrl,
  calls_webhook: webhookUrl,
});

export const signingSecretSchema = z.object({
  secret: z.string(),
  previous_valid_until: z.nullable(dateTime),
});

export const webhookTestSchema = z.object({
  success: z.boolean(),
  status: z.nullable(z.int()),
  duration_ms: z.int(),
});

const attempt = z.object({
  at: dateTime,
  duration_ms: z.int(),
  status: z.nullable(z.int()),
  error: z.nullable(z.string()),
  /** What went wrong, in words. */
  explanation: z.nullable(z.string()),
  response_excerpt: z.nullable(z.string()),
  replay: z.boolean(),
});
z.globalRegistry.add(attempt, { id: 'DeliveryAttempt' });

export const deliverySchema = z.object({
  id: z.uuid(),
  target: targetName,
  kind: z.enum(notificationKinds),
  state: z.enum(deliveryStates),
  attempts: z.array(attempt),
  next_attempt_at: z.nullable(dateTime),
  created_at: dateTime,
});
z.globalRegistry.add(deliverySchema, { id: 'Delivery' });

/** One delivery, with the bytes that were or will be sent. */
export const deliveryWithPayloadSchema = z.object({ ...deliverySchema.shape, payload: z.string() });

const isoDateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const isMoment = (text: string) => isoDateTime.test(text) && !Number.isNaN(Date.parse(text));
const moment = z.string().check(z.refine(isMoment, { params: { rule: 'date_time' } }));
z.globalRegistry.add(moment, { format: 'date-time' });

const cursor = z.optional(z.string().check(z.maxLength(500)));

export const deliveryListQuery = z.object({
  state: z.optional(z.enum(deliveryStates)),
  target: z.optional(targetName),
  since: z.optional(moment),
  until: z.optional(moment),
  limit: z.optional(pageLimit),
  cursor,
});

/** One page of deliveries. */
export const deliveryPageSchema = z.object({ data: z.array(deliverySchema), ...pageMembers });
z.globalRegistry.add(deliveryPageSchema, { id: 'DeliveryPage' });

/** Which deliveries to send once more: those created in this range, by default those that were given up. */
export const replayBody = z.object({
  since: moment,
  until: z.optional(moment),
  state: z.optional(z.enum(['delivered', 'exhausted', 'discarded'])),
  target: z.optional(targetName),
  cursor,
});
z.globalRegistry.add(replayBody, { id: 'ReplayRequest' });

/** With `next_cursor`, the same request goes on where this one ended. */
export const replayedSchema = z.object({ replayed: z.int(), more: z.boolean(), next_cursor: z.nullable(z.string()) });

export const resumeBody = z.object({ target: z.optional(targetName) });

export const resumedSchema = z.object({ resumed: z.array(targetName) });

export const successSchema = z.object({ success: z.boolean() });
