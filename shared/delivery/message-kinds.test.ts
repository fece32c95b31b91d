import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { deliveryEngine, type Engine } from '#support/worlds/delivery-engine.ts';
import type { TestNumber } from '#support/worlds/delivery-world.ts';
import type { Delivery } from './delivery.ts';
import type { AttemptMessage } from './notification.ts';

/** What became of a delivery: `sent` is a POST, `in progress` and `early` leave the message in the queue. */
type Outcome = 'sent' | 'held' | 'discarded' | 'repeat' | 'in progress' | 'early';

const messages = ['deliver', 'retry', 'replay'] as const;
const states = [
  'none',
  'sending',
  'abandoned',
  'waiting',
  'waiting for longer',
  'held',
  'delivered',
  'exhausted',
  'discarded',
] as const;
type State = (typeof states)[number];

/** For each state, what a first attempt, a retry and a replay come to. */
type Table = Record<State, [deliver: Outcome, retry: Outcome, replay: Outcome]>;

const ended: Table[State] = ['repeat', 'repeat', 'sent'];

const outcomes: Record<'closed' | 'open' | 'without a URL', Table> = {
  closed: {
    none: ['sent', 'repeat', 'repeat'],
    sending: ['in progress', 'in progress', 'in progress'],
    abandoned: ['sent', 'sent', 'sent'],
    waiting: ['repeat', 'sent', 'sent'],
    'waiting for longer': ['repeat', 'early', 'sent'],
    held: ['repeat', 'repeat', 'sent'],
    delivered: ended,
    exhausted: ended,
    discarded: ended,
  },
  open: {
    none: ['held', 'repeat', 'repeat'],
    sending: ['in progress', 'in progress', 'in progress'],
    abandoned: ['held', 'held', 'sent'],
    waiting: ['repeat', 'held', 'sent'],
    'waiting for longer': ['repeat', 'held', 'sent'],
    held: ['repeat', 'repeat', 'sent'],
    delivered: ended,
    exhausted: ended,
    discarded: ended,
  },
  'without a URL': {
    none: ['discarded', 'repeat', 'repeat'],
    sending: ['in progress', 'in progress', 'in progress'],
    abandoned: ['discarded', 'discarded', 'discarded'],
    waiting: ['discarded', 'discarded', 'discarded'],
    'waiting for longer': ['discarded', 'discarded', 'discarded'],
    held: ['discarded', 'discarded', 'discarded'],
    delivered: ['repeat', 'repeat', 'repeat'],
    exhausted: ['repeat', 'repeat', 'repeat'],
    discarded: ['repeat', 'repeat', 'repeat'],
  },
};

let engine: Engine;
beforeAll(() => {
  engine = deliveryEngine();
});
beforeEach(() => {
  captureLog();
  engine.posts.length = 0;
  engine.queued.length = 0;
});

async function numberWhoseTargetIs(target: keyof typeof outcomes): Promise<TestNumber> {
  const number = await engine.newNumber(target === 'without a URL' ? {} : undefined);
  if (target === 'open') await engine.breakTarget(number.id, 60_000);
  return number;
}

function membersOf(state: State): Partial<Delivery> {
  const { now } = engine.clock;
  switch (state) {
    case 'sending':
      return { state, attempt_count: 0, lease: { holder: 'other', until: now + 1_000 } };
    case 'abandoned':
      return { state: 'sending', attempt_count: 0, lease: { holder: 'other', until: now } };
    case 'waiting':
      return { state, next_attempt_at: now };
    case 'waiting for longer':
      return { state: 'waiting', next_attempt_at: now + 60_000 };
    case 'none':
      return {};
    default:
      return { state };
  }
}

async function outcomeOf(message: AttemptMessage, before: Delivery | undefined): Promise<Outcome | string> {
  await engine.handle(message);
  const after = await engine.deliveries.get(message.subscriber, message.id);
  if (engine.posts.length > 0) return after?.state === 'delivered' ? 'sent' : `sent and ${after?.state}`;
  if (after?.state !== before?.state) return String(after?.state);
  expect(after).toEqual(before);
  const [queued] = engine.queued;
  if (!queued) return 'repeat';
  return queued.due - engine.clock.now === 1_000 ? 'in progress' : 'early';
}

describe.each(Object.entries(outcomes))('a message for a target that is %s', (situation, table) => {
  const cases = states.flatMap((state) =>
    messages.map((kind, index) => ({ state, kind, expected: table[state][index] })),
  );

  it.each(cases)('($kind) for a delivery that is $state: $expected', async ({ state, kind, expected }) => {
    const number = await numberWhoseTargetIs(situation as keyof typeof outcomes);
    const first = engine.notification(number);
    const { task: _, ...notification } = first;
    const before: Delivery | undefined =
      state === 'none'
        ? undefined
        : { ...notification, state: 'waiting', attempt_count: 1, attempts: [], replays: [], ...membersOf(state) };
    if (before) await engine.deliveries.insert(before);
    const { subscriber, target } = first;
    const message = {
      deliver: first,
      retry: { task: 'retry', subscriber, target, id: first.id, attempt_count: before?.attempt_count ?? 0 },
      replay: { task: 'replay', subscriber, target, id: first.id, replay: newId() },
    } satisfies Record<(typeof messages)[number], AttemptMessage>;
    expect(await outcomeOf(message[kind], before)).toBe(expected);
  });
});
