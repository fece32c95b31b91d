import * as z from 'zod/mini';
import { parseJson } from '#shared/base/json.ts';
import type { LogFields } from '#shared/base/logger.ts';
import { sentFlowReference } from '#shared/messages/sent-flow.ts';
import { targets } from '#shared/webhooks/target.ts';
import { type Delivery, notificationKinds } from './delivery.ts';

const target = z.enum(targets);
/** How often the message was sent again as it is. */
const returns = z.optional(z.int());

/** `subscriber` is the id of a number or a workspace. */
const address = { subscriber: z.uuid(), target, returns };

/** The id of the request that brought the event, in which it happened, or that asked for the replay. */
const request = z.optional(z.string());

const payload = z.union([z.object({ text: z.string() }), z.object({ blob: z.string() })]);

/** Makes the first attempt of a notification: the delivery does not exist yet. */
const first = z.object({
  task: z.literal('deliver'),
  ...address,
  id: z.uuid(),
  kind: z.enum(notificationKinds),
  payload,
  created_at: z.number(),
  /** The version of the target that ingestion saw. */
  target_version: z.int(),
  /** The sent Flow that the message completes. */
  sent_flow: z.optional(sentFlowReference),
  request,
});

/** Makes the next attempt of a delivery that has failed `attempt_count` times. */
const again = z.object({
  task: z.literal('retry'),
  ...address,
  id: z.uuid(),
  attempt_count: z.int(),
  /** It follows a probe, in case that was cut off, and is not a probe itself. */
  after_probe: z.optional(z.literal(true)),
  /** The delivery is a test notification. */
  test: z.optional(z.literal(true)),
});

/** Makes one attempt because the customer asked for it; `replay` identifies the request. */
const replay = z.object({ task: z.literal('replay'), ...address, id: z.uuid(), replay: z.uuid(), request });

/**
 * Releases the next held deliveries of a target, those after `after`, if `token` is still that of its drain.
 * `empty_rounds` rounds before this one found nothing.
 */
const drain = z.object({
  task: z.literal('drain'),
  ...address,
  token: z.uuid(),
  after: z.optional(z.uuid()),
  empty_rounds: z.optional(z.int()),
});

const message = z.discriminatedUnion('task', [first, again, replay, drain]);

/** A message in the notification queue. */
export type QueueMessage = z.infer<typeof message>;

export type FirstAttempt = z.infer<typeof first>;
export type Retry = z.infer<typeof again>;
export type Replay = z.infer<typeof replay>;
/** A message that asks for an attempt. */
export type AttemptMessage = FirstAttempt | Retry | Replay;
export type Drain = z.infer<typeof drain>;

/** The message that makes the next attempt of a delivery. */
export function retryOf({
  subscriber,
  target,
  id,
  kind,
  attempt_count,
}: Pick<Delivery, 'subscriber' | 'target' | 'id' | 'kind' | 'attempt_count'>): Retry {
  return { task: 'retry', subscriber, target, id, attempt_count, ...(kind === 'test' && { test: true }) };
}

/** What the log lines about a message say of it. */
export function idsOf(message: QueueMessage): LogFields {
  const { subscriber, target } = message;
  const delivery = message.task === 'drain' ? {} : { delivery: message.id };
  const request = 'request' in message ? { request: message.request } : {};
  return { subscriber, target, ...delivery, ...request };
}

/**
 * Returns an error if the service did not write the text; the message then ends up in the dead-letter queue. The error
 * names members only, because it is logged and the parser's own error would quote the text.
 */
export function parseMessage(body: string): QueueMessage | Error {
  const parsed = z.safeParse(message, parseJson(body));
  if (parsed.success) return parsed.data;
  const members = parsed.error.issues.flatMap(({ path }) => path);
  return new Error(`Not a message of this queue; wrong: ${members.join(', ') || 'all of it'}`);
}
