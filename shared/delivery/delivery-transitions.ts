import { type Arguments, type Fact, isIn, stateMachine, unmet } from '#shared/base/state-machine.ts';
import type { Delivery, DeliveryState } from './delivery.ts';
import type { UnclaimedReason } from './delivery-records.ts';

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
      meaning: 'The URL of the target was removed, or the number was switched off.',
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

/** Returns why a message cannot claim the delivery: another process is sending it, or the message is a repeat. */
export function unclaimedReason(delivery: Delivery | undefined, now: number): UnclaimedReason {
  const isLeased = delivery?.lease !== undefined && !isIn(deliveryMachine, 'abandoned', delivery, { now });
  return isLeased && isIn(deliveryMachine, 'sending', delivery) ? 'in-progress' : 'repeat';
}
