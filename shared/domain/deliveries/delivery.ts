import type { ErrorClass } from '../egress/sender.ts';
import type { Lease } from '../lease.ts';
import type { SentFlowReference } from '../sent-flows/sent-flow.ts';
import type { Target } from '../subscribers/target.ts';

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
