import * as z from 'zod/mini';
import { deliveryStates, notificationKinds } from '#shared/domain/deliveries/delivery.ts';
import { sentFlowReference } from '#shared/domain/sent-flows/sent-flow.ts';
import { targets } from '#shared/domain/subscribers/target.ts';
import { dateTime } from '../contract/schemas.ts';

const attempt = z.object({
  at: dateTime,
  duration_ms: z.int(),
  status: z.nullable(z.int()),
  error: z.nullable(z.string()),
  /** What went wrong, as text for people. */
  explanation: z.nullable(z.string()),
  response_excerpt: z.nullable(z.string()),
  replay: z.boolean(),
});
z.globalRegistry.add(attempt, { id: 'DeliveryAttempt' });

z.globalRegistry.add(sentFlowReference, { id: 'SentFlow' });

/** The delivery object of every response. */
export const deliverySchema = z.object({
  id: z.uuid(),
  target: z.enum(targets),
  kind: z.enum(notificationKinds),
  state: z.enum(deliveryStates),
  attempts: z.array(attempt),
  next_attempt_at: z.nullable(dateTime),
  created_at: dateTime,
  sent_flow: z.optional(sentFlowReference),
});
z.globalRegistry.add(deliverySchema, { id: 'Delivery' });
