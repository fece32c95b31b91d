import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import type { Attempt } from '#shared/egress/sender.ts';
import { newTarget, type Target, type TargetRecord } from '#shared/webhooks/target.ts';
import type { DeliverySettings, TargetStore } from '#shared/webhooks/target-store.ts';
import { answered, timedOut } from '#support/worlds/delivery-engine.ts';
import { putBackSeconds, rememberSlowTargets, type SlowTargets } from './slow-targets.ts';

const url = 'https://example.com/hook';

let now: number;
let notes: { id: string; target: Target; url: string; until: number; enough: number }[];
let timers: Map<number, () => void>;
let processTargets: { forBatch(): SlowTargets };

beforeEach(() => {
  now = 1_000_000;
  notes = [];
  processTargets = newProcess();
});

function newProcess(): typeof processTargets {
  timers = new Map();
  const noteSlow: TargetStore['noteSlow'] = async (id, target, note) => void notes.push({ id, target, ...note });
  return rememberSlowTargets(
    { noteSlow },
    () => now,
    (ms, run) => {
      timers.set(ms, run);
      return () => timers.delete(ms);
    },
  );
}

/** The settings of a subscriber with this `webhook`. */
const newSettings = (members: Partial<TargetRecord> = {}): DeliverySettings => ({
  subscriber: { id: newId(), workspace: newId(), active: true },
  targets: {
    webhook: { ...newTarget(), url, ...members },
    secondary_webhook: { ...newTarget(), url },
    calls_webhook: newTarget(),
  },
});

/** Attempts of one batch that take this long. */
async function attempt(settings: DeliverySettings, ...durations: number[]): Promise<void> {
  const batch = processTargets.forBatch();
  const each = durations.map((receiverMs) =>
    batch.watch(settings, 'webhook', async () => ({ ...answered(200), durationMs: 400 + receiverMs, receiverMs })),
  );
  await Promise.all(each);
}

const isSlow = (settings: DeliverySettings, target: Target = 'webhook') =>
  processTargets.forBatch().isSlow(settings, target);

describe('a target', () => {
  it('is not slow while it is fast or unknown', async () => {
    const settings = newSettings();
    expect(isSlow(settings)).toBe(false);
    await attempt(settings, 20, 500);
    expect(isSlow(settings)).toBe(false);
    expect(notes).toEqual([]);
  });

  it('is noted as slow for a minute when a first attempt takes over a second', async () => {
    const settings = newSettings();
    await attempt(settings, 1_001);
    expect(notes).toEqual([
      { id: settings.subscriber.id, target: 'webhook', url, until: now + 60_000, enough: now + 45_000 },
    ]);
    expect(isSlow(settings)).toBe(true);
    expect([isSlow(settings, 'secondary_webhook'), isSlow(newSettings())]).toEqual([false, false]);
    now += 60_000;
    expect(isSlow(settings)).toBe(false);
  });

  it('is not slow because its connection takes long, only because its response does', async () => {
    const settings = newSettings();
    const attempt = Promise.withResolvers<Attempt>();
    const { promise: started, resolve: start } = Promise.withResolvers<() => void>();
    const watched = processTargets.forBatch().watch(settings, 'webhook', (onReady) => {
      start(onReady);
      return attempt.promise;
    });
    const onReady = await started;
    expect(timers.size).toBe(0);
    onReady();
    expect([...timers.keys()]).toEqual([1_001]);
    attempt.resolve({ ...answered(200), durationMs: 2_900, receiverMs: 20 });
    await watched;
    expect([notes, timers.size]).toEqual([[], 0]);
  });

  it('is noted as slow if it accepts no connection for longer', async () => {
    const settings = newSettings();
    const unreachable: Attempt = { outcome: 'failed', error: 'connect-timeout', durationMs: 3_000 };
    await processTargets.forBatch().watch(settings, 'webhook', async () => unreachable);
    expect(notes).toHaveLength(1);
  });

  it('is not slow because the first attempts of a process take a second', async () => {
    const settings = newSettings();
    await attempt(settings, 1_000, 1_000);
    expect(notes).toEqual([]);
  });

  it('is noted as slow when most attempts of a process that knows it take over half a second', async () => {
    const settings = newSettings();
    await attempt(settings, 500);
    await attempt(settings, 501);
    expect(notes).toEqual([]);
    await attempt(settings, 501);
    expect(notes).toHaveLength(1);
  });

  it('is noted as slow while its attempt is still in progress', async () => {
    const settings = newSettings();
    const attempt = Promise.withResolvers<Attempt>();
    const watched = processTargets.forBatch().watch(settings, 'webhook', (onReady) => {
      onReady();
      return attempt.promise;
    });
    timers.get(1_001)?.();
    expect(isSlow(settings)).toBe(true);
    attempt.resolve(timedOut);
    expect(await watched).toBe(timedOut);
    expect([notes.length, timers.size]).toEqual([1, 0]);
  });

  it('is not slow because its previous URL was', async () => {
    const settings = newSettings();
    await attempt(settings, 1_100);
    expect(isSlow(settings)).toBe(true);
    const webhook = { ...settings.targets.webhook, url: 'https://example.com/new' };
    const moved = { ...settings, targets: { ...settings.targets, webhook } };
    expect(isSlow(moved)).toBe(false);
  });

  it('is slow for every process that reads the note', async () => {
    const settings = newSettings({ slow_until: now + 1 });
    processTargets = newProcess();
    expect(isSlow(settings)).toBe(true);
    now += 1;
    expect(isSlow(settings)).toBe(false);
  });

  it('is noted again after 15 seconds if it is still slow', async () => {
    const settings = newSettings();
    await attempt(settings, 1_100, 1_100, 1_100);
    now += 14_999;
    await attempt(settings, 1_100);
    expect(notes).toHaveLength(1);
    now += 1;
    await attempt(settings, 1_100);
    expect(notes).toHaveLength(2);
  });

  it('is not noted again by a process that reads a recent note', async () => {
    await attempt(newSettings({ slow_until: now + 50_000 }), 1_100);
    expect(notes).toEqual([]);
  });

  it('is not slow because of single slow attempts', async () => {
    const settings = newSettings();
    await attempt(settings, ...Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? 20 : 1_100)));
    expect(notes).toEqual([]);
    await attempt(settings, 1_100);
    await attempt(settings, 1_100, 1_100);
    expect(notes).toHaveLength(1);
  });

  it('can be noted or not: the attempt counts', async () => {
    processTargets = rememberSlowTargets({ noteSlow: () => Promise.reject(new Error('no table')) }, () => now);
    await attempt(newSettings(), 1_100);
  });
});

describe('a batch of the slow queue', () => {
  const admittedOf = (count: number, settings: DeliverySettings, batch = processTargets.forBatch()) =>
    Array.from({ length: count }, () => batch.admits(settings, 'webhook')).filter(Boolean).length;

  it('makes five attempts at each target', () => {
    const batch = processTargets.forBatch();
    const each = [newSettings(), newSettings()];
    expect(each.map((settings) => admittedOf(8, settings, batch))).toEqual([5, 5]);
  });

  it('makes all attempts at a target that has been fast', async () => {
    const settings = newSettings();
    await attempt(settings, 20);
    expect(admittedOf(10, settings)).toBe(10);
    await attempt(settings, 1_100, 1_100);
    expect(admittedOf(10, settings)).toBe(5);
  });
});

it('messages that are put back come again after one to three seconds', () => {
  expect([0, 0.5, 1].map(putBackSeconds)).toEqual([1, 2, 3]);
});
