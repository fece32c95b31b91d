import { hash } from 'node:crypto';
import { type Arguments, type Fact, stateMachine, unmet } from '#shared/base/state-machine.ts';
import { dayMs, minuteMs } from '#shared/base/time.ts';
import type { Lease } from '#shared/base/time-limits.ts';
import type { ErrorClass } from '#shared/egress/egress-error.ts';
import type { SentFlowReference } from '#shared/messages/sent-flow.ts';
import type { Format } from '#shared/webhooks/meta-format.ts';
import type { Target } from '#shared/webhooks/subscriber.ts';

/**
 * - `sending`: an attempt is in progress, or was cut off; see `lease`.
 * - `waiting`: failed, to be tried again at `next_attempt_at`.
 * - `held`: the circuit breaker of its target is open; it is sent when the breaker closes.
 * - `delivered`, `exhausted` (all attempts failed), `discarded` (the target or its URL was removed, or its number
 *   switched off): ended.
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
  /** That of the payload; the specification's if absent. */
  format?: Format | undefined;
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
export const notificationKinds = ['message', 'status', 'error', 'call', 'echo', 'test', 'field', 'service'] as const;

export type NotificationKind = (typeof notificationKinds)[number];

export interface DeliveryIdentity {
  /** The id of the subscriber. */
  readonly subscriber: string;
  /** With a name of its own, also what tells it from earlier ones of this name. */
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

/** The outcome of a release of held deliveries. */
export interface Release {
  /** Those for which a message has to be sent, including those that were not held any more. */
  released: readonly Delivery[];
  /** Why the others may still be held. */
  errors: readonly unknown[];
}

/** What a store finds a delivery by. */
export type DeliveryKey = Pick<Delivery, 'subscriber' | 'target' | 'id'>;

/** How long before its time an attempt may be made: clocks differ, and SQS delays by whole seconds. */
const earlyByMs = 5_000;

const stored = (state: DeliveryState): Fact => ['state', '=', state];

/**
 * A delivery from its first message to its end. `docs/internals/delivery-states.md` is generated from it: `npm run
 * diagrams`.
 */
export const deliveryMachine = /* @__PURE__ */ stateMachine({
  states: {
    none: { facts: [['id', 'absent']], meaning: 'There is no record yet.' },
    sending: { facts: [stored('sending')], meaning: 'An attempt is in progress, or was cut off.' },
    abandoned: {
      facts: [stored('sending'), ['lease.until', '<=', ':now']],
      meaning: 'The attempt was cut off: its holder has recorded no outcome in time.',
      within: { state: 'sending', when: 'the lease expires' },
    },
    waiting: { facts: [stored('waiting')], meaning: 'The next attempt is made at `next_attempt_at`.' },
    held: { facts: [stored('held')], meaning: 'The circuit breaker of the target is open.' },
    delivered: { facts: [stored('delivered')], meaning: 'The receiver has it.' },
    exhausted: { facts: [stored('exhausted')], meaning: 'All attempts failed.' },
    discarded: {
      facts: [stored('discarded')],
      meaning: 'The target or its URL was removed, or the number was switched off.',
    },
  },
  conditions: {
    'the message is for the next attempt': [['attempt_count', '=', ':attempt_count']],
    'the wait is over': [
      ['next_attempt_at', 'absent'],
      ['next_attempt_at', '<=', ':soon'],
    ],
    'the replay has not begun': [['replays', 'lacks', ':replay']],
    'the lease is for this replay': [['lease.replay', '=', ':replay']],
    'the lease is ours': [['lease.holder', '=', ':holder']],
    'nobody else postponed it': [['due_key', '=', ':due_key']],
  },
  transitions: {
    claimFirst: { from: ['none'], to: 'sending' },
    takeOver: { from: ['abandoned'], to: 'sending', when: ['the message is for the next attempt'] },
    claimRetry: {
      from: ['waiting', 'abandoned'],
      to: 'sending',
      when: ['the message is for the next attempt', 'the wait is over'],
    },
    claimProbe: {
      from: ['waiting', 'held', 'abandoned'],
      to: 'sending',
      when: ['the message is for the next attempt', 'the wait is over'],
    },
    claimReplay: {
      from: ['waiting', 'held', 'delivered', 'exhausted', 'discarded', 'abandoned'],
      to: 'sending',
      when: ['the replay has not begun'],
    },
    resumeReplay: { from: ['abandoned'], to: 'sending', when: ['the lease is for this replay'] },
    record: {
      from: ['sending'],
      to: ['delivered', 'waiting', 'held', 'exhausted'],
      when: ['the lease is ours'],
    },
    holdFirst: { from: ['none'], to: 'held' },
    hold: { from: ['waiting', 'abandoned'], to: 'held', when: ['the message is for the next attempt'] },
    release: { from: ['held'], to: 'waiting', when: ['the message is for the next attempt'] },
    postpone: { from: ['waiting'], to: 'waiting', when: ['nobody else postponed it'] },
    discardFirst: { from: ['none'], to: 'discarded' },
    discard: { from: ['waiting', 'held', 'abandoned'], to: 'discarded' },
  },
});

export type DeliveryTransition = keyof typeof deliveryMachine.transitions;

/** The arguments of transitions. Each transition needs some of them. */
export interface DeliveryArguments {
  now?: number;
  /** How many attempts of the schedule were made before, according to the message. */
  attempt_count?: number;
  replay?: string;
  holder?: string;
  due_key?: string;
}

/** Returns the arguments under the names that the machine's facts use. */
export function deliveryArguments(args: DeliveryArguments): Arguments {
  return { ...args, ...(args.now !== undefined && { soon: args.now + earlyByMs }) };
}

/** Returns what prevents a transition of a delivery, which may not exist yet. */
export function unmetBy(delivery: Delivery | undefined, name: DeliveryTransition, args: DeliveryArguments) {
  return unmet(deliveryMachine, name, delivery, deliveryArguments(args));
}

/**
 * How long after the end of its lease an attempt may still be recorded, in milliseconds. If it never is, the message that
 * asked for it has come back by then.
 */
const recordedLateMs = 5 * minuteMs;

/** Returns why a message cannot claim the delivery: another process is sending it, or the message is a repeat. */
export function unclaimedReason(
  delivery: Delivery | undefined,
  { now, attempt_count = 0 }: DeliveryArguments & { now: number },
): UnclaimedReason {
  if (delivery?.state !== 'sending' || !delivery.lease) return 'repeat';
  // The message for the next attempt is sent before this one is recorded.
  const lateMs = attempt_count > delivery.attempt_count ? recordedLateMs : 0;
  return delivery.lease.until + lateMs > now ? 'in-progress' : 'repeat';
}

/** The claim that succeeded already, where the client repeats a write whose response was lost. */
export function ownClaim(stored: Delivery | undefined, { holder }: Lease): Claim | undefined {
  return stored?.state === 'sending' && stored.lease?.holder === holder
    ? { claimed: { ...stored, lease: stored.lease } }
    : undefined;
}

/** Why a claim failed: only the wait may be a reason. */
export function unclaimed(
  name: DeliveryTransition,
  stored: Delivery | undefined,
  args: DeliveryArguments & { now: number },
): Claim {
  const reasons = unmetBy(stored, name, args);
  return reasons.length === 1 && reasons[0] === 'the wait is over'
    ? { why: 'early', due: stored?.next_attempt_at ?? args.now }
    : { why: unclaimedReason(stored, args) };
}

const attemptAttributes = ['lease', 'previous_state'];
const afterTheEnd = [...attemptAttributes, 'next_attempt_at'];

/**
 * What a delivery in a state does not have: the transition to it removes these attributes and those of other indexes.
 */
export const absentIn: Readonly<Record<DeliveryState, readonly string[]>> = {
  sending: ['next_attempt_at'],
  waiting: attemptAttributes,
  held: [...attemptAttributes, 'next_attempt_at'],
  delivered: afterTheEnd,
  exhausted: afterTheEnd,
  discarded: afterTheEnd,
};
