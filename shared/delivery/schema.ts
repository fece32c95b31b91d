import * as z from 'zod/mini';
import { dateTime, describeComponent, describeMembers } from '#shared/http/members.ts';
import { filter, pageMembers, pageQuery, pageQueryTexts, pageTexts } from '#shared/http/page.ts';
import { sentFlowReference } from '#shared/messages/sent-flow.ts';
import { deliveryKeptDays, deliveryStates, notificationKinds } from './delivery.ts';

const attempt = z.object({
  at: dateTime,
  duration_ms: z.int(),
  status: z.nullable(z.int()),
  error: z.nullable(z.string()),
  explanation: z.nullable(z.string()),
  response_excerpt: z.nullable(z.string()),
  replay: z.boolean(),
});
/* @__PURE__ */ describeComponent('DeliveryAttempt', attempt, () => ({
  at: 'When the attempt began.',
  duration_ms: 'How long the attempt took, in milliseconds.',
  status: 'The HTTP status of the receiver; `null` if it did not respond.',
  error: 'The code of the connection error; `null` if the receiver responded.',
  explanation: 'What went wrong and what to do, in the language of the response; `null` if nothing did.',
  response_excerpt:
    "The beginning of the receiver's response, or `***` if that shows a secret; `null` if it had no body.",
  replay: 'Whether the attempt was a replay.',
}));

/* @__PURE__ */ describeComponent('SentFlow', sentFlowReference, () => ({
  flow: 'Id of the Flow.',
  message: 'Id of the message that sent the Flow; absent in the rare case that it never became known.',
  contact: 'The phone number or user id to which the Flow was sent.',
}));

/** The delivery object of every response. */
const deliverySchema = z.object({
  id: z.uuid(),
  target: z.string(),
  kind: z.enum(notificationKinds),
  state: z.enum(deliveryStates),
  attempts: z.array(attempt),
  next_attempt_at: z.nullable(dateTime),
  created_at: dateTime,
  sent_flow: z.optional(sentFlowReference),
});

const stateText =
  '`sending`: an attempt is in progress. `delivered`: the receiver responded with 200. `waiting`: the last attempt failed and another follows. `held`: the target is failing, and the delivery is sent when it recovers. `exhausted`: every attempt failed. `discarded`: the target or its URL was removed, or the number was switched off.';

const deliveryTexts = () => ({
  id: 'Id of the delivery: the `webhook-id` of its notification.',
  target: 'Where the notification goes: the name of the target.',
  kind: 'What the notification is about. `echo` is a message that staff sent in another app. Workspaces get `field`, a field of the messaging platform that belongs to no webhook of a number, and `service`, an event of this service.',
  state: stateText,
  attempts: 'The attempts so far, oldest first.',
  next_attempt_at: 'When the next attempt is due; `null` if none is.',
  created_at: 'When the event arrived.',
  sent_flow:
    'The Flow message that the notification completes. Present only for the final response of a Flow that was sent by its id.',
});
/* @__PURE__ */ describeComponent('Delivery', deliverySchema, deliveryTexts);

const isoDateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const isDateTimeWithZone = (text: string) => isoDateTime.test(text) && !Number.isNaN(Date.parse(text));

/** The start or end of a time range in a request: ISO 8601 with an offset. */
const dateTimeWithZone = z.string().check(z.refine(isDateTimeWithZone, { params: { rule: 'date_time' } }));
z.globalRegistry.add(dateTimeWithZone, { format: 'date-time' });

/** The query of a list of deliveries. */
export const deliveryQuery = z.strictObject({
  state: filter(z.enum(deliveryStates)),
  target: filter(z.string()),
  since: filter(dateTimeWithZone),
  until: filter(dateTimeWithZone),
  ...pageQuery,
});

/* @__PURE__ */ describeMembers(deliveryQuery, () => ({
  state: `Only deliveries in this state. ${stateText}`,
  target: 'Only deliveries to this target.',
  since: 'Only deliveries created at this time or later: ISO 8601 with a time zone.',
  until: 'Only deliveries created before this time: ISO 8601 with a time zone.',
  ...pageQueryTexts(),
}));

export const deliveryPageSchema = z.object({ data: z.array(deliverySchema), ...pageMembers });
/* @__PURE__ */ describeComponent('DeliveryPage', deliveryPageSchema, () => ({
  data: 'The deliveries, newest first.',
  ...pageTexts(),
}));

/** A delivery with the text that was or will be sent. */
export const deliveryWithPayloadSchema = z.object({
  ...deliverySchema.shape,
  payload: z.string(),
  payload_url: z.optional(z.string()),
});
/* @__PURE__ */ describeComponent('DeliveryWithPayload', deliveryWithPayloadSchema, () => ({
  ...deliveryTexts(),
  payload: 'The body of the notification, byte for byte; only its beginning where there is a `payload_url`.',
  payload_url:
    'Link to the whole body, which works for five minutes without a token. Present only where the body is too long for this response.',
}));

/** A range of deliveries to replay. */
export const replayRequest = z.strictObject({
  since: dateTimeWithZone,
  until: z.optional(dateTimeWithZone),
  state: z.optional(z.enum(['delivered', 'exhausted', 'discarded'])),
  target: z.optional(z.string()),
  cursor: z.optional(z.string().check(z.maxLength(500))),
});
/* @__PURE__ */ describeComponent('ReplayRequest', replayRequest, () => ({
  since: `Replays deliveries created at this time or later: ISO 8601 with a time zone, at most ${deliveryKeptDays} days ago.`,
  until: 'Replays deliveries created before this time: ISO 8601 with a time zone. Now, by default.',
  state: 'Replays deliveries in this state; `exhausted` by default.',
  target: 'Replays deliveries to this target; to every target that has a URL, by default.',
  cursor: 'The `next_cursor` of the previous response.',
}));

/** With `next_cursor`, the same request goes on where this one ended. */
export const replayedSchema = z.object({ replayed: z.int(), more: z.boolean(), next_cursor: z.nullable(z.string()) });
/* @__PURE__ */ describeComponent('Replayed', replayedSchema, () => ({
  replayed: 'How many deliveries are being replayed.',
  more: 'Whether there are more deliveries to replay.',
  next_cursor: 'The `cursor` for the next request; `null` if there are no more.',
}));
