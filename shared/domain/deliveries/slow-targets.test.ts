import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { answered, timedOut } from '#test/support/delivery-engine.ts';
import type { Subscriber, Target } from '../accounts/subscriber.ts';
import type { Attempt } from '../egress/sender.ts';
import { putBackSeconds, type SlowTargets, slowTargets } from './slow-targets.ts';

let now: number;
let notes: { id: string; target: Target; until: number; enough: number }[];
let timers: Map<number, () => void>;
let consumer: { forBatch(): SlowTargets };

beforeEach(() => {
  now = 1_000_000;
  notes = [];
  consumer = newProcess();
});

function newProcess(): typeof consumer {
  timers = new Map();
  const noteSlow = async ({ id }: { id: string }, target: Target, until: number, enough: number) =>
    void notes.push({ id, target, until, enough });
  return slowTargets(
    { noteSlow },
    () => now,
    (ms, run) => {
      timers.set(ms, run);
      return () => timers.delete(ms);
    },
  );
}

const newSubscriber = (noted: Partial<Subscriber> = {}): Subscriber => ({
  ...{ id: newId(), workspace: newId(), active: true },
  ...noted,
});

/** Attempts of one batch that take this long. */
async function attempt(subscriber: Subscriber, ...durations: number[]): Promise<void> {
  const batch = consumer.forBatch();
  const each = durations.map((receiverMs) =>
    batch.watch(subscriber, 'webhook', async () => ({ ...answered(200), durationMs: 400 + receiverMs, receiverMs })),
  );
  await Promise.all(each);
}

const isSlow = (subscriber: Subscriber, target: Target = 'webhook') => consumer.forBatch().isSlow(subscriber, target);

describe('a target', () => {
  it('is not slow while it is fast or unknown', async () => {
    const subscriber = newSubscriber();
    expect(isSlow(subscriber)).toBe(false);
    await attempt(subscriber, 20, 500);
    expect(isSlow(subscriber)).toBe(false);
    expect(notes).toEqual([]);
  });

  it('is noted as slow for a minute when a first attempt takes over a second', async () => {
    const subscriber = newSubscriber();
    await attempt(subscriber, 1_001);
    expect(notes).toEqual([{ id: subscriber.id, target: 'webhook', until: now + 60_000, enough: now + 45_000 }]);
    expect(isSlow(subscriber)).toBe(true);
    expect([isSlow(subscriber, 'secondary_webhook'), isSlow(newSubscriber())]).toEqual([false, false]);
    now += 60_000;
    expect(isSlow(subscriber)).toBe(false);
  });

  it('is not slow because its connection takes long, only because its response does', async () => {
    const subscriber = newSubscriber();
    const made = Promise.withResolvers<Attempt>();
    const { promise: started, resolve: start } = Promise.withResolvers<() => void>();
    const watched = consumer.forBatch().watch(subscriber, 'webhook', (onReady) => {
      start(onReady);
      return made.promise;
    });
    const onReady = await started;
    expect(timers.size).toBe(0);
    onReady();
    expect([...timers.keys()]).toEqual([1_001]);
    made.resolve({ ...answered(200), durationMs: 2_900, receiverMs: 20 });
    await watched;
    expect([notes, timers.size]).toEqual([[], 0]);
  });

  it('is noted as slow if it accepts no connection for longer', async () => {
    const subscriber = newSubscriber();
    const unreachable: Attempt = { outcome: 'failed', error: 'connect-timeout', durationMs: 3_000 };
    await consumer.forBatch().watch(subscriber, 'webhook', async () => unreachable);
    expect(notes).toHaveLength(1);
  });

  it('is not slow because the first attempts of a process take a second', async () => {
    const subscriber = newSubscriber();
    await attempt(subscriber, 1_000, 1_000);
    expect(notes).toEqual([]);
  });

  it('is noted as slow when most attempts of a process that knows it take over half a second', async () => {
    const subscriber = newSubscriber();
    await attempt(subscriber, 500);
    await attempt(subscriber, 501);
    expect(notes).toEqual([]);
    await attempt(subscriber, 501);
    expect(notes).toHaveLength(1);
  });

  it('is noted as slow while its attempt is still in progress', async () => {
    const subscriber = newSubscriber();
    const made = Promise.withResolvers<Attempt>();
    const watched = consumer.forBatch().watch(subscriber, 'webhook', (onReady) => {
      onReady();
      return made.promise;
    });
    timers.get(1_001)?.();
    expect(isSlow(subscriber)).toBe(true);
    made.resolve(timedOut);
    expect(await watched).toBe(timedOut);
    expect([notes.length, timers.size]).toEqual([1, 0]);
  });

  it('is not slow because its previous URL was', async () => {
    const subscriber = newSubscriber({ webhook: 'https://example.com/slow' });
    await attempt(subscriber, 1_100);
    expect(isSlow(subscriber)).toBe(true);
    expect(isSlow({ ...subscriber, webhook: 'https://example.com/new' })).toBe(false);
  });

  it('is slow for every process that reads the note', async () => {
    const subscriber = newSubscriber({ webhook_slow_until: now + 1 });
    consumer = newProcess();
    expect(isSlow(subscriber)).toBe(true);
    now += 1;
    expect(isSlow(subscriber)).toBe(false);
  });

  it('is noted again after 15 seconds if it is still slow', async () => {
    const subscriber = newSubscriber();
    await attempt(subscriber, 1_100, 1_100, 1_100);
    now += 14_999;
    await attempt(subscriber, 1_100);
    expect(notes).toHaveLength(1);
    now += 1;
    await attempt(subscriber, 1_100);
    expect(notes).toHaveLength(2);
  });

  it('is not noted again by a process that reads a recent note', async () => {
    await attempt(newSubscriber({ webhook_slow_until: now + 50_000 }), 1_100);
    expect(notes).toEqual([]);
  });

  it('is not slow because of single slow attempts', async () => {
    const subscriber = newSubscriber();
    await attempt(subscriber, ...Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? 20 : 1_100)));
    expect(notes).toEqual([]);
    await attempt(subscriber, 1_100);
    await attempt(subscriber, 1_100, 1_100);
    expect(notes).toHaveLength(1);
  });

  it('can be noted or not: the attempt counts', async () => {
    consumer = slowTargets({ noteSlow: () => Promise.reject(new Error('no table')) }, () => now);
    await attempt(newSubscriber(), 1_100);
  });
});

describe('a batch of the slow queue', () => {
  const admittedOf = (count: number, subscriber: Subscriber, batch = consumer.forBatch()) =>
    Array.from({ length: count }, () => batch.admits(subscriber, 'webhook')).filter(Boolean).length;

  it('makes five attempts at each target', () => {
    const batch = consumer.forBatch();
    const subscribers = [newSubscriber(), newSubscriber()];
    expect(subscribers.map((subscriber) => admittedOf(8, subscriber, batch))).toEqual([5, 5]);
  });

  it('makes all attempts at a target that has been fast', async () => {
    const subscriber = newSubscriber();
    await attempt(subscriber, 20);
    expect(admittedOf(10, subscriber)).toBe(10);
    await attempt(subscriber, 1_100, 1_100);
    expect(admittedOf(10, subscriber)).toBe(5);
  });
});

it('messages that are put back come again after one to three seconds', () => {
  expect([0, 0.5, 1].map(putBackSeconds)).toEqual([1, 2, 3]);
});
