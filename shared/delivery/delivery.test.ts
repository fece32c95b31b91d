import fc from 'fast-check';
import { validate, version } from 'uuid';
import { describe, expect, it } from 'vitest';
import { minuteMs } from '#shared/base/time.ts';
import { anyUnicode } from '#support/arbitraries.ts';
import {
  type Delivery,
  type DeliveryTransition,
  deliveryId,
  deliveryMachine,
  unclaimedReason,
  unmetBy,
} from './delivery.ts';

const identity = { subscriber: 'n', target: 'webhook', key: 'message:wamid.1', timestampMs: 1_795_000_000_000 };
const identities = fc.record({
  subscriber: anyUnicode,
  target: fc.constantFrom('webhook', 'secondary_webhook', 'calls_webhook'),
  key: anyUnicode,
  timestampMs: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
});

describe('deliveryId', () => {
  it('never changes, so a repeat after a deployment is still recognised', () => {
    expect(deliveryId(identity)).toBe('01a1ee56-5e00-8de3-8122-0b656f323273');
  });

  it('is a UUID of version 8 for every event', () => {
    fc.assert(
      fc.property(identities, (any) => {
        expect([validate(deliveryId(any)), version(deliveryId(any))]).toEqual([true, 8]);
      }),
    );
  });

  it('sorts by the time of the event', () => {
    fc.assert(
      fc.property(identities, identities, (a, b) => {
        fc.pre(a.timestampMs < b.timestampMs);
        expect(deliveryId(a) < deliveryId(b)).toBe(true);
      }),
    );
  });

  it('depends on the subscriber, the target, the event and its time', () => {
    const others = [
      { ...identity, subscriber: 'm' },
      { ...identity, target: 'secondary_webhook' },
      { ...identity, key: 'message:wamid.2' },
      { ...identity, timestampMs: identity.timestampMs + 1 },
      { ...identity, subscriber: 'n","webhook', target: '' },
    ];
    expect(new Set([identity, ...others].map(deliveryId)).size).toBe(6);
  });
});

const now = Date.UTC(2026, 0, 31);

const delivery: Delivery = {
  id: 'id',
  subscriber: 'subscriber',
  target: 'webhook',
  kind: 'message',
  payload: { text: '' },
  state: 'waiting',
  attempt_count: 1,
  attempts: [],
  replays: ['earlier'],
  created_at: now,
};

/** The attempt is that of a replay: so every transition can find the lease that it needs. */
const leased = (until: number) => ({ state: 'sending', lease: { holder: 'me', until, replay: 'replay' } }) as const;

/** A delivery in each state that meets every further condition. */
const inState: Record<keyof typeof deliveryMachine.states, Delivery | undefined> = {
  none: undefined,
  sending: { ...delivery, ...leased(now + 1) },
  abandoned: { ...delivery, ...leased(now) },
  waiting: { ...delivery, due_key: 'key' } as Delivery,
  held: { ...delivery, state: 'held' },
  delivered: { ...delivery, state: 'delivered' },
  exhausted: { ...delivery, state: 'exhausted' },
  discarded: { ...delivery, state: 'discarded' },
};

const args = { now, attempt_count: 1, replay: 'replay', holder: 'me', due_key: 'key' };

const allowed: Record<keyof typeof inState, DeliveryTransition[]> = {
  none: ['claimFirst', 'holdFirst', 'discardFirst'],
  sending: ['record'],
  abandoned: ['takeOver', 'claimRetry', 'claimProbe', 'claimReplay', 'resumeReplay', 'record', 'hold', 'discard'],
  waiting: ['claimRetry', 'claimProbe', 'claimReplay', 'hold', 'postpone', 'discard'],
  held: ['claimProbe', 'claimReplay', 'release', 'discard'],
  delivered: ['claimReplay'],
  exhausted: ['claimReplay'],
  discarded: ['claimReplay'],
};

const names = Object.keys(deliveryMachine.transitions) as DeliveryTransition[];
const states = Object.keys(inState) as (keyof typeof inState)[];
const pairs = states.flatMap((state) => names.map((name) => ({ state, name })));

describe('the transitions of a delivery', () => {
  it.each(pairs)('$name of a delivery that is $state', ({ state, name }) => {
    const reasons = unmetBy(inState[state], name, args);
    expect(reasons.length === 0).toBe(allowed[state].includes(name));
  });

  it.each<[DeliveryTransition, keyof typeof inState, Partial<Delivery> | Record<string, unknown>, string]>([
    ['takeOver', 'abandoned', { attempt_count: 2 }, 'the message is for the next attempt'],
    ['claimProbe', 'held', { attempt_count: 2 }, 'the message is for the next attempt'],
    ['claimRetry', 'waiting', { next_attempt_at: now + 5_001 }, 'the wait is over'],
    ['claimReplay', 'exhausted', { replays: ['earlier', 'replay'] }, 'the replay has not begun'],
    ['resumeReplay', 'abandoned', { lease: { holder: 'me', until: now } }, 'the lease is for this replay'],
    ['record', 'sending', { lease: { holder: 'other', until: now + 1 } }, 'the lease is ours'],
    ['record', 'abandoned', { lease: { holder: 'other', until: now } }, 'the lease is ours'],
    ['hold', 'waiting', { attempt_count: 0 }, 'the message is for the next attempt'],
    ['release', 'held', { attempt_count: 0 }, 'the message is for the next attempt'],
    ['postpone', 'waiting', { due_key: 'later' }, 'nobody else postponed it'],
  ])('%s of a delivery that is %s is rejected with %j', (name, state, members, reason) => {
    expect(unmetBy({ ...delivery, ...inState[state], ...members }, name, args)).toEqual([reason]);
  });

  it('allow a retry some seconds early', () => {
    expect(unmetBy({ ...delivery, next_attempt_at: now + 5_000 }, 'claimRetry', args)).toEqual([]);
  });

  it('distinguish a delivery that is being sent from one that is not meant by the message', () => {
    const inProgress = states.filter((state) => unclaimedReason(inState[state], { now }) === 'in-progress');
    expect(inProgress).toEqual(['sending']);
    // The message for the next attempt may come first, but not wait for ever.
    const next = { attempt_count: delivery.attempt_count + 1 };
    expect(unclaimedReason(inState.abandoned, { now, ...next })).toBe('in-progress');
    expect(unclaimedReason(inState.abandoned, { now: now + 5 * minuteMs, ...next })).toBe('repeat');
  });
});
