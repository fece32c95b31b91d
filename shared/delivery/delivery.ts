import { hash } from 'node:crypto';
import { dayMs } from '#shared/base/time.ts';
import type { Lease } from '#shared/base/time-limits.ts';
import type { ErrorClass } from '#shared/egress/egress-error.ts';
import type { SentFlowReference } from '#shared/messages/sent-flow.ts';
import type { Target } from '#shared/webhooks/target.ts';

/**
 * - `sending`: an attempt is in progress, or was cut off; see `lease`.
 * - `waiting`: failed, to be tried again at `next_attempt_at`.
 * - `held`: the circuit breaker of its target is open; it is sent when the breaker closes.
 * - `delivered`, `exhausted` (all attempts failed), `discarded` (the target's URL was removed, or its number switched
 *   off): ended.
 */
export const deliveryStates = ['sending', 'delivered', 'waiting', 'held', 'exhausted', 'discarded'] as const;

export type DeliveryState = (typeof deliveryStates)[number];

/** The exact bytes of a notification: in the item, or in the bucket when they are too many. */
export type Payload = { text: string } | { blob: string };

/** The only status that counts as received. */
export const receivedStatus = 200;

/** One POST of a delivery. */
export interface AttemptRecord {
  /** Epoch milliseconds. */
  at: number;
  duration_ms: number;
  /** The status of the receiver's response, if there was one. */
  status?: number;
  /** Why there was none. */
  error?: ErrorClass;
  /** The beginning of the response, as text. U+FFFD replaces bytes that its charset does not know. */
  excerpt?: string;
  /** Asked for by the customer. */
  replay?: true;
}

/** One notification for one target, and what became of it. */
export interface Delivery {
  /** See `deliveryId`: begins with the time of the event, so ids sort by it. */
  id: string;
  /** The id of the subscriber, a number or a workspace. */
  subscriber: string;
  target: Target;
  kind: NotificationKind;
  payload: Payload;
  state: DeliveryState;
  /** Attempts of the schedule made so far: the place in it, and what tells a message from a repeat. */
  attempt_count: number;
  attempts: AttemptRecord[];
  /** The latest replays that were carried out, by the ids of their messages. */
  replays: string[];
  next_attempt_at?: number;
  /** The state in which a replay found it, while the replay is in progress. */
  previous_state?: DeliveryState;
  /** That of the attempt that is sending it, with the id of the customer's replay, if the attempt is one. */
  lease?: Lease & { replay?: string };
  /** The version of the target that ingestion saw. */
  target_version?: number | undefined;
  /** The id of the request that brought the event, or in which it happened. */
  request?: string | undefined;
  /** The sent Flow that the message completes. */
  sent_flow?: SentFlowReference | undefined;
  /** When the event arrived, in epoch milliseconds. */
  created_at: number;
}

/** `field` and `service` go to workspaces: a field of the upstream, and an event of the service itself. */
export const notificationKinds = ['message', 'status', 'error', 'call', 'test', 'field', 'service'] as const;

export type NotificationKind = (typeof notificationKinds)[number];

export interface DeliveryIdentity {
  /** The id of the subscriber. */
  readonly subscriber: string;
  /** `webhook`, `secondary_webhook` or `calls_webhook`. */
  readonly target: string;
  /** The event's identity upstream. */
  readonly key: string;
  /** Epoch milliseconds. */
  readonly timestampMs: number;
}

/**
 * The id of an event's delivery to a target: a UUID of version 8 (RFC 9562, section 5.8). It begins with the event's
 * time, so that ids sort by time, and continues with a hash of the event and its target. The same event always gets the
 * same id.
 */
export function deliveryId({ subscriber, target, key, timestampMs }: DeliveryIdentity): string {
  const bytes = hash('sha256', JSON.stringify([subscriber, target, key]), 'buffer').subarray(0, 16);
  bytes.writeUIntBE(timestampMs, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** How long a delivery is kept. */
export const deliveryKeptDays = 30;
export const deliveryKeptMs = deliveryKeptDays * dayMs;

/** The longest delay that SQS accepts for a message (SQS quotas). */
export const longestDelaySeconds = 900;
