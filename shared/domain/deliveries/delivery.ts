import type { Target } from '../accounts/number.ts';
import type { ErrorClass } from '../egress/sender.ts';

/**
 * - `sending`: an attempt is under way, or was cut off; see `lease`.
 * - `waiting`: failed, to be tried again at `next_attempt_at`.
 * - `held`: its target does not answer; it is sent when the target does again.
 * - `delivered`, `exhausted` (all attempts failed), `discarded` (the target's URL was removed, or its number switched
 *   off): ended.
 */
export const deliveryStates = ['sending', 'delivered', 'waiting', 'held', 'exhausted', 'discarded'] as const;

export type DeliveryState = (typeof deliveryStates)[number];

/** The exact bytes of a notification: in the item, or in the bucket when they are too many. */
export type Payload = { text: string } | { blob: string };

/** One POST of a delivery. */
export interface AttemptRecord {
  /** Epoch milliseconds. */
  at: number;
  duration_ms: number;
  /** What the receiver answered, if it did. */
  status?: number;
  /** Why it did not. */
  error?: ErrorClass;
  /** The beginning of the answer, as text; bytes that are no UTF-8 are shown as U+FFFD. */
  excerpt?: string;
  /** Asked for by the customer. */
  replay?: true;
}

/** One notification for one target, and what became of it. */
export interface Delivery {
  /** See `deliveryId`: begins with the time of the event, so ids sort by it. */
  id: string;
  number: string;
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
  /** Where it stood when a replay began, while that is under way. */
  previous_state?: DeliveryState;
  /** Who is sending it, and until when that counts; for which of the replays, if for one. */
  lease?: { holder: string; expires_at: number; replay?: string };
  /** The version of the number's settings that ingestion saw. */
  settings_version?: number | undefined;
  /** Epoch milliseconds at which the upstream brought it. */
  created_at: number;
}

export const notificationKinds = ['message', 'status', 'error', 'call', 'test'] as const;

export type NotificationKind = (typeof notificationKinds)[number];

/** How long a delivery is kept. */
export const keptDays = 30;
export const keptForMs = keptDays * 86_400_000;
