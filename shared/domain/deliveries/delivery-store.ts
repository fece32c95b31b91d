import type { Target } from '../accounts/number.ts';
import type { AttemptRecord, Delivery, DeliveryState } from './delivery.ts';
import type { FirstAttempt, Replay, Retry } from './message.ts';

/** A delivery that this run may attempt, until its lease runs out. */
export type ClaimedDelivery = Delivery & { lease: Lease };

/**
 * `repeat`: the delivery has ended or moved on, so the message is not for it. `in-progress`: somebody is sending it now.
 */
export type UnclaimedReason = 'repeat' | 'in-progress';

/**
 * The outcome of a claim: the delivery is ours, or why it is not. `early`: it waits until `due`, in epoch milliseconds.
 */
export type Claim =
  | { claimed: ClaimedDelivery }
  | { claimed?: undefined; why: UnclaimedReason }
  | { claimed?: undefined; why: 'early'; due: number };

/** Who claims, and until when. */
export interface Lease {
  holder: string;
  /** Epoch milliseconds. */
  expires_at: number;
  /** The id of the customer's replay, if the attempt is one. */
  replay?: string;
}

/** What an attempt means for the delivery. */
export interface Result {
  state: DeliveryState;
  attempt: AttemptRecord;
  attempt_count: number;
  /** Present while it waits. */
  next_attempt_at?: number | undefined;
  /** When the sweeper looks after it: at its next attempt, or later where a message in the queue should do first. */
  look_after_at?: number;
}

/** A waiting delivery that is due, and the key of the index by which it was found. */
export type DueDelivery = Delivery & { due_key: string };

export interface DeliveryQuery {
  number: string;
  order: 'newest-first' | 'oldest-first';
  /** Goes on behind the delivery with this id, which need not exist. */
  after?: string | undefined;
  filter: DeliveryFilter;
  /** How many deliveries the caller will take, if that is known. The first reads fetch no more than that needs. */
  wanted?: number;
}

/** Which deliveries are wanted; times are epoch milliseconds of their creation, both included. */
export interface DeliveryFilter {
  since: number;
  until?: number | undefined;
  state?: DeliveryState | undefined;
  target?: Target | undefined;
}

/** How far a search has come. A step has no delivery when the search has passed over many that are not wanted. */
export interface SearchStep {
  id: string;
  delivery?: Delivery;
}

/** What a store finds a delivery by. */
export type DeliveryKey = Pick<Delivery, 'number' | 'target' | 'id'>;

/** Deliveries and what became of them. */
export interface DeliveryStore {
  /** The first attempt: the delivery is made by it. */
  claimFirst(message: FirstAttempt, lease: Lease, now: number): Promise<Claim>;
  /**
   * The next attempt of the schedule, or of a target that responds again. One write decides: between two, the attempt
   * that sent the message may be recorded, and the message would be taken for a repeat. The wait is checked because an
   * attempt that two consumers made in turn has two messages, and the delivery waits for the later one.
   */
  claimRetry(message: Retry, lease: Lease, now: number): Promise<Claim>;
  /** One more attempt, in whatever state, once for each replay. */
  claimReplay(message: Replay, lease: Lease, now: number): Promise<Claim>;
  /** Holds a delivery until the breaker closes; otherwise says why not, as a claim does. */
  hold(message: FirstAttempt | Retry, now: number): Promise<'held' | UnclaimedReason>;
  /** Keeps a notification that ends before its first attempt; otherwise ends the delivery that there is. */
  discardFirst(message: FirstAttempt, now: number): Promise<'discarded' | UnclaimedReason>;
  /** Ends a delivery that is not sent any more: its target lost its URL, or its number was switched off. */
  discard(message: DeliveryKey, now: number): Promise<'discarded' | UnclaimedReason>;
  /** Records the outcome of the attempt, if the delivery is still ours. `false` when another process took it over. */
  record(claimed: ClaimedDelivery, result: Result): Promise<boolean>;
  get(number: string, id: string): Promise<Delivery | undefined>;
  /** Keeps a delivery that was attempted outside of the queue. */
  insert(delivery: Delivery): Promise<void>;
  search(query: DeliveryQuery): AsyncGenerator<SearchStep>;
  /** Deliveries that wait and are to be looked after before this time, soonest first. */
  listDue(before: number): AsyncGenerator<DueDelivery>;
  /** Puts off when a delivery that waits is looked after next; `false` when somebody else did, or its wait is over. */
  putOff(due: DueDelivery, until: number): Promise<boolean>;
  /**
   * Lets a held delivery wait for the message that is sent for it. The sweep looks after it in case the message is
   * lost.
   */
  release(delivery: Delivery, now: number, lookAfterAt: number): Promise<void>;
  /**
   * Held deliveries of a target, by default oldest first, those behind the delivery with this id. Reads `wanted` at
   * once.
   */
  listHeld(
    number: string,
    target: Target,
    options?: { after?: string | undefined; order?: DeliveryQuery['order']; wanted?: number },
  ): AsyncGenerator<Delivery>;
}

/** The deliveries of the messages of one batch, whose writes may share calls of the store. */
export interface BatchDeliveries extends DeliveryStore {
  /** A message of the batch has been handled, so its delivery is not written any more. */
  leave(): void;
}
