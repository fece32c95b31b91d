import type { Lease } from '#shared/base/time-limits.ts';
import type { Target } from '#shared/webhooks/target.ts';
import type { AttemptRecord, Delivery, DeliveryState } from './delivery.ts';
import type { FirstAttempt, Replay, Retry } from './notification.ts';

/** A delivery that this attempt has claimed, until its lease expires. */
export type ClaimedDelivery = Delivery & Required<Pick<Delivery, 'lease'>>;

/**
 * `repeat`: the delivery has ended or moved on, so the message is obsolete. `in-progress`: another process sends it.
 */
export type UnclaimedReason = 'repeat' | 'in-progress';

/**
 * The outcome of a claim: the delivery is ours, or why it is not. `early`: it waits until `due`, in epoch milliseconds.
 */
export type Claim =
  | { claimed: ClaimedDelivery }
  | { claimed?: undefined; why: UnclaimedReason }
  | { claimed?: undefined; why: 'early'; due: number };

/** What an attempt means for the delivery. */
export interface Result {
  state: DeliveryState;
  attempt: AttemptRecord;
  attempt_count: number;
  /** Present while it waits. */
  next_attempt_at?: number | undefined;
  /** When the sweep checks it: at its next attempt, or later if a message in the queue should end the wait. */
  look_after_at?: number;
}

/** A waiting delivery that is due, and the key of the index by which it was found. */
export type DueDelivery = Delivery & { due_key: string };

export interface DeliveryQuery {
  subscriber: string;
  /** The deliveries to these. */
  targets: readonly Target[];
  order: 'newest-first' | 'oldest-first';
  /** Goes on behind the delivery with this id, which need not exist. */
  after?: string | undefined;
  filter: DeliveryFilter;
  /** How many deliveries the caller will take, if that is known. The first reads fetch no more than that needs. */
  wanted?: number;
}

/** Which deliveries are wanted; times are epoch milliseconds of their creation, both included. */
export interface DeliveryFilter {
  since?: number | undefined;
  until?: number | undefined;
  state?: DeliveryState | undefined;
}

/** How far a search has come. A step has no delivery when the search has passed over many that are not wanted. */
export interface SearchStep {
  id: string;
  delivery?: Delivery;
}

/** The outcome of a release of held deliveries. */
export interface Release {
  /** Those for which a message has to be sent, including those that were not held any more. */
  released: readonly Delivery[];
  /** Why the others may still be held. */
  errors: readonly unknown[];
}

/** What a store finds a delivery by. */
export type DeliveryKey = Pick<Delivery, 'subscriber' | 'target' | 'id'>;

/** Deliveries and their outcomes. */
export interface DeliveryStore {
  /** Claims the first attempt, which creates the delivery. */
  claimFirst(message: FirstAttempt, lease: Lease, now: number): Promise<Claim>;
  /**
   * Claims the next attempt of the schedule, or that of a target that responds again. It is one write: between two, the
   * attempt that sent the message could be recorded, and the message would look like a repeat. The wait is checked
   * because an attempt that two delivery processes made in turn has two messages, and the delivery waits for the later
   * one.
   */
  claimRetry(message: Retry, lease: Lease, now: number): Promise<Claim>;
  /**
   * The same for an attempt that probes the target. It also claims a delivery that is held, which has no other message
   * to bring it back if this attempt is cut off.
   */
  claimProbe(message: Retry, lease: Lease, now: number): Promise<Claim>;
  /** Claims an attempt in any state, once for each replay. */
  claimReplay(message: Replay, lease: Lease, now: number): Promise<Claim>;
  /** Holds a delivery until the breaker closes, or returns why it cannot, as a claim does. */
  hold(message: FirstAttempt | Retry, now: number): Promise<'held' | UnclaimedReason>;
  /** Stores a notification that is discarded before its first attempt, or ends the existing delivery. */
  discardFirst(message: FirstAttempt, now: number): Promise<'discarded' | UnclaimedReason>;
  /** Ends a delivery that is no longer sent, because its target lost its URL or its number was switched off. */
  discard(message: DeliveryKey, now: number): Promise<'discarded' | UnclaimedReason>;
  /** Records the outcome of the attempt, if the delivery is still ours. `false` when another process took it over. */
  record(claimed: ClaimedDelivery, result: Result): Promise<boolean>;
  /** Finds a delivery; without a target, among the deliveries to any target. */
  get(subscriber: string, id: string, target?: Target): Promise<Delivery | undefined>;
  /** Stores a delivery whose attempt did not come from the queue; one that waits with the time when the sweep checks it. */
  insert(delivery: Delivery, lookAfterAt?: number): Promise<void>;
  search(query: DeliveryQuery): AsyncGenerator<SearchStep>;
  /** Lists the waiting deliveries that the sweep has to check before this time, soonest first. */
  listDue(before: number): AsyncGenerator<DueDelivery>;
  /** Postpones the next check of a waiting delivery; `false` when another sweep did, or its wait is over. */
  postpone(due: DueDelivery, until: number): Promise<boolean>;
  /**
   * Lets held deliveries wait for the messages that are sent for them. The sweep checks them later, in case a message
   * is lost. Some can be released while others fail.
   */
  release(held: readonly Delivery[], now: number, lookAfterAt: number): Promise<Release>;
  /**
   * Held deliveries of a target, by default oldest first, those behind the delivery with this id. Reads `wanted` at
   * once.
   */
  listHeld(
    subscriber: string,
    target: Target,
    options?: { after?: string | undefined; order?: DeliveryQuery['order']; wanted?: number },
  ): AsyncGenerator<Delivery>;
}
