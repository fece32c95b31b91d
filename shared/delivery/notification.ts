import * as z from 'zod/mini';
import type { BlobStore } from '#shared/aws/bucket.ts';
import { lazy } from '#shared/base/cache.ts';
import { parseJson } from '#shared/base/json.ts';
import { type LogFields, log, presentRequest } from '#shared/base/logger.ts';
import { sentFlowReference } from '#shared/messages/sent-flow.ts';
import { formats } from '#shared/webhooks/meta-format.ts';
import { type DeliverySettings, isTarget, newTarget, type Target } from '#shared/webhooks/subscriber.ts';
import { type Delivery, deliveryId, type NotificationKind, notificationKinds, type Payload } from './delivery.ts';

const target = z.custom<Target>(isTarget);
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
  /** That of the payload; the specification's if absent. */
  format: z.optional(z.enum(formats)),
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

export type Retried = Pick<Delivery, 'subscriber' | 'target' | 'id' | 'kind' | 'attempt_count'>;

/** The message that makes the next attempt of a delivery. */
export function retryOf(delivery: Retried): Retry {
  const { subscriber, target, id, kind, attempt_count } = delivery;
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

export interface QueueEntry {
  message: QueueMessage;
  delaySeconds?: number;
}

/** Most messages are requeued a few times at most. One that gets here is most likely requeued without end. */
const requeueLimit = 5_000;

/**
 * Sends a message again as it is, to be handled later. Lambda does not stop a chain through the queue, because a drain
 * is one, so the messages count their returns themselves.
 */
export async function requeue(
  message: QueueMessage,
  delaySeconds: number,
  { queue }: { queue: { send(entries: readonly QueueEntry[]): Promise<void> } },
): Promise<void> {
  const returns = (message.returns ?? 0) + 1;
  if (returns % requeueLimit === 0) log('error', 'delivery.requeue-limit', { returns });
  await queue.send([{ message: { ...message, returns }, delaySeconds }]);
}

/** The delivery of a notification of which nothing is stored yet. */
export const newDelivery = ({ task, returns, ...notification }: FirstAttempt): Delivery => ({
  ...notification,
  state: 'waiting',
  attempt_count: 0,
  attempts: [],
  replays: [],
});

/** A notification for a subscriber, which may go to several targets. */
export interface NewNotification {
  kind: NotificationKind;
  /** The event's identity, the same whenever it arrives. */
  key: string;
  /** When the event happened, in epoch milliseconds. */
  timestampMs: number;
  /** The exact text to send. */
  text: string;
  /** The same in Meta's format, for targets that have it; without it, they get nothing. */
  metaText?: () => string | undefined;
}

export interface FirstAttemptContext {
  payloads: Pick<PayloadStore, 'keep'>;
  /** When the event arrived, in epoch milliseconds. */
  arrivedAt: number;
}

/**
 * Builds the messages that deliver a notification: one for each of these targets that has a URL, in the format that it
 * has now.
 */
export async function firstAttempts(
  { kind, key, timestampMs, text, metaText }: NewNotification,
  { subscriber: { id: subscriber }, targets }: DeliverySettings,
  wanted: readonly Target[],
  { payloads, arrivedAt }: FirstAttemptContext,
): Promise<FirstAttempt[]> {
  const request = presentRequest();
  const inMetaFormat = lazy(() => metaText?.());
  const attempts = wanted.map(async (target): Promise<FirstAttempt | undefined> => {
    const { url, format, version } = targets[target] ?? newTarget();
    if (url === undefined) return undefined;
    const body = format === 'meta' ? inMetaFormat() : text;
    if (body === undefined) return undefined;
    const id = deliveryId({ subscriber, target, key, timestampMs });
    return {
      task: 'deliver',
      subscriber,
      target,
      id,
      kind,
      ...(format && { format }),
      payload: await payloads.keep(subscriber, id, body),
      created_at: arrivedAt,
      target_version: version,
      ...(request !== undefined && { request }),
    };
  });
  return (await Promise.all(attempts)).filter((attempt) => attempt !== undefined);
}

export type PayloadStore = ReturnType<typeof payloadStore>;

/** A body up to this size travels in the queue's message and stays in the delivery's item (400 KB at most). */
const maxInlineBytes = 200_000;

/** Keeps the bodies of notifications: with the delivery while they are small, else in the bucket. */
export function payloadStore(blobs: BlobStore) {
  return {
    async keep(subscriber: string, delivery: string, text: string): Promise<Payload> {
      if (Buffer.byteLength(text) <= maxInlineBytes) return { text };
      const blob = `notifications/${subscriber}/${delivery}.json`;
      await blobs.put(blob, text);
      return { blob };
    },

    async read(payload: Payload): Promise<string> {
      if ('text' in payload) return payload.text;
      const text = await blobs.get(payload.blob);
      if (text === undefined) throw new Error('The body of a notification is gone from the bucket');
      return text;
    },
  };
}
