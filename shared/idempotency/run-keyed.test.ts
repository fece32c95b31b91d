import { describe, expect, it } from 'vitest';
import { invalidField, ServiceError } from '#shared/base/service-error.ts';
import { dayMs } from '#shared/base/time.ts';
import { leaseMs } from '#shared/base/time-limits.ts';
import { beforeSending, UpstreamError, type UpstreamFailure } from '#shared/base/upstream-error.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { memoryKeyedRequests } from '#support/fakes/memory-keyed-requests.ts';
import type { KeyedRequest, KeyedRequestStore } from './keyed-request-store.ts';
import { type AfterUnknownOutcome, type KeyedWork, type Run, runKeyed } from './run-keyed.ts';

const log = captureLog();

const modes: AfterUnknownOutcome[] = ['run-again', 'never-again'];

/** Requests with one key, the clock, and what the operation did. */
function startWorld(afterUnknownOutcome: AfterUnknownOutcome) {
  const stored = new Map<string, KeyedRequest>();
  const store = memoryKeyedRequests(stored);
  const clock = { now: 1_000_000 };
  const effects: Run[] = [];
  const work: KeyedWork = {
    key: 'key',
    body: 'body',
    afterUnknownOutcome,
    async run(run) {
      effects.push(run);
      return { status: 200, headers: { 'x-call-id': 'c' }, body: `{"effect":${effects.length}}` };
    },
    rejection: async ({ message }) => ({ status: 400, headers: {}, body: message }),
  };
  return {
    stored,
    store,
    clock,
    effects,
    work,
    request: (members: Partial<KeyedWork> = {}, through: KeyedRequestStore = store) =>
      runKeyed({ ...work, ...members }, { store: through, now: () => clock.now }),
  };
}

const busy = expect.objectContaining({ code: 'idempotency-key.in-progress', retryAfterSeconds: 2 });
const unknown = expect.objectContaining({ code: 'idempotency-key.outcome-unknown' });

describe.each(modes)('a key (%s)', (mode) => {
  it('replays the response to the same body, whenever that is within a day', async () => {
    const world = startWorld(mode);
    const first = await world.request();
    expect(first).toEqual({ status: 200, headers: { 'x-call-id': 'c' }, body: '{"effect":1}', replayed: false });
    world.clock.now += dayMs - 1;
    expect(await world.request()).toEqual({ ...first, replayed: true });
    expect(world.effects).toHaveLength(1);
  });

  it('is free again after a day', async () => {
    const world = startWorld(mode);
    await world.request();
    world.clock.now += dayMs;
    expect(await world.request({ body: 'other' })).toMatchObject({ body: '{"effect":2}', replayed: false });
  });

  it('rejects another body, whether or not the first request has ended', async () => {
    const world = startWorld(mode);
    const other = () => expect(world.request({ body: 'other' })).rejects.toMatchObject({ code: 'validation-failed' });
    void world.request({ run: () => new Promise(() => {}) });
    await other();
    world.clock.now += dayMs;
    await world.request();
    await other();
    expect(world.effects).toHaveLength(1);
  });

  it('lets one of two requests at the same time run', async () => {
    const world = startWorld(mode);
    const [first, second] = await Promise.allSettled([world.request(), world.request()]);
    expect(first).toMatchObject({ status: 'fulfilled' });
    expect(second).toEqual({ status: 'rejected', reason: busy });
    expect(world.effects).toHaveLength(1);
  });

  it('keeps a rejection of the upstream, which is final', async () => {
    const world = startWorld(mode);
    const run = async () => {
      throw new UpstreamError('rejected', 'Template does not exist', { code: 132001 });
    };
    await expect(world.request({ run })).rejects.toThrow('Template');
    expect(await world.request()).toEqual({
      status: 400,
      headers: {},
      body: 'Template does not exist',
      replayed: true,
    });
    expect(world.effects).toEqual([]);
  });

  it.each<[string, Error]>([
    ...(['rate-limited', 'credentials', 'unreachable'] as UpstreamFailure[]).map((failure): [string, Error] => [
      failure,
      new UpstreamError(failure, failure),
    ]),
    [
      'an error of the upstream whose code says so',
      new UpstreamError('unavailable', 'Sorry', { code: 131000, meaning: { code: 'message.failed-on-the-platform' } }),
    ],
    [
      'a rejection that the upstream calls temporary',
      new UpstreamError('rejected', 'Not now', { code: 132001, isTemporary: true }),
    ],
    ['a busy Flow', new ServiceError('flow.busy')],
    ['an invalid field', invalidField('number', 'active_number')],
  ])('is free after a failure that had no effect: %s', async (_, error) => {
    const world = startWorld(mode);
    await expect(world.request({ run: () => Promise.reject(error) })).rejects.toBe(error);
    expect(world.stored.size).toBe(0);
    expect(await world.request({ body: 'other' })).toMatchObject({ body: '{"effect":1}', replayed: false });
  });

  it('is free after a fault of the service that came before the request to the upstream', async () => {
    const world = startWorld(mode);
    const run = () => beforeSending(() => Promise.reject(new TypeError('Oops')));
    await expect(world.request({ run })).rejects.toThrow('Oops');
    expect(await world.request()).toMatchObject({ body: '{"effect":1}', replayed: false });
  });

  it('does not run when the claim took longer than the lease', async () => {
    const world = startWorld(mode);
    const slow: KeyedRequestStore = {
      ...world.store,
      async claim(...claim) {
        const request = await world.store.claim(...claim);
        world.clock.now += leaseMs;
        return request;
      },
    };
    await expect(world.request({}, slow)).rejects.toEqual(busy);
    expect(world.effects).toEqual([]);
  });

  it('gives the response although it cannot be recorded', async () => {
    const world = startWorld(mode);
    const failing = { ...world.store, keep: () => Promise.reject(new Error('no table')) };
    expect(await world.request({}, failing)).toMatchObject({ status: 200 });
    expect(log).toContainEqual(expect.objectContaining({ event: 'idempotency-key.not-recorded' }));
  });
});

const failedUnclearly: [string, Error][] = [
  ['a timeout', new UpstreamError('timeout', 'Too slow')],
  ['a broken response', new UpstreamError('broken-response', 'Cut off')],
  ['a status without a code', new UpstreamError('unavailable', 'Status 503')],
  ['a code that says nothing', new UpstreamError('unavailable', 'Service error', { code: 2 })],
  ['a fault of the service', new TypeError('Oops')],
];

describe('an outcome that is unknown', () => {
  it.each(failedUnclearly)(
    'is never followed by another run where that could have a second effect: %s',
    async (_, error) => {
      const world = startWorld('never-again');
      await expect(world.request({ run: () => Promise.reject(error) })).rejects.toBe(error);
      for (const wait of [0, leaseMs, dayMs - leaseMs - 1]) {
        world.clock.now += wait;
        await expect(world.request()).rejects.toEqual(unknown);
      }
      expect(world.effects).toEqual([]);
    },
  );

  it.each(failedUnclearly)('is followed by another run that knows of it where that is safe: %s', async (_, error) => {
    const world = startWorld('run-again');
    const runs: Run[] = [];
    const fail = async (run: Run) => {
      runs.push(run);
      throw error;
    };
    await expect(world.request({ run: fail })).rejects.toBe(error);
    await expect(world.request({ run: fail })).rejects.toBe(error);
    expect(await world.request()).toMatchObject({ replayed: false });
    const [first, second] = runs.map(({ id }) => id);
    expect(world.effects[0]?.earlier).toEqual([first, second]);
  });

  it('stays known when the next run had no effect', async () => {
    const world = startWorld('run-again');
    await expect(world.request({ run: () => Promise.reject(new Error('Oops')) })).rejects.toThrow();
    await expect(world.request({ run: () => Promise.reject(new ServiceError('flow.busy')) })).rejects.toThrow();
    await world.request();
    expect(world.effects[0]?.earlier).toHaveLength(2);
  });
});

/** Where a process can be killed. It then does nothing more. */
const steps = ['before the claim', 'after the claim', 'after the effect', 'before the record', 'after the record'];

/** Makes a request whose process is killed at the step, and waits until it is dead. */
async function killedAt(step: string, world: ReturnType<typeof startWorld>): Promise<void> {
  await new Promise<void>((resolve) => {
    async function reach(name: string): Promise<void> {
      if (name !== step) return;
      resolve();
      await new Promise(() => {});
    }
    const around = async <T>(before: string, action: () => Promise<T>, after: string): Promise<T> => {
      await reach(before);
      const result = await action();
      await reach(after);
      return result;
    };
    const store: KeyedRequestStore = {
      ...world.store,
      claim: (...claim) => around('before the claim', () => world.store.claim(...claim), 'after the claim'),
      keep: (...keep) => around('before the record', () => world.store.keep(...keep), 'after the record'),
    };
    void world.request({ run: (run) => around('', () => world.work.run(run), 'after the effect') }, store);
  });
}

describe.each(steps)('a process that is killed %s', (step) => {
  const hadEffect = !step.endsWith('the claim');
  const wasRecorded = step === 'after the record';

  it.each(modes)('leaves a key that is not used twice at a time (%s)', async (mode) => {
    const world = startWorld(mode);
    await killedAt(step, world);
    world.clock.now += leaseMs - 1;
    if (step === 'before the claim') await expect(world.request()).resolves.toMatchObject({ replayed: false });
    else if (wasRecorded) await expect(world.request()).resolves.toMatchObject({ replayed: true });
    else await expect(world.request()).rejects.toEqual(busy);
    expect(world.effects.length).toBeLessThanOrEqual(1);
  });

  it('has no second effect where that must not be', async () => {
    const world = startWorld('never-again');
    await killedAt(step, world);
    world.clock.now += leaseMs;
    if (step === 'before the claim') await expect(world.request()).resolves.toMatchObject({ replayed: false });
    else if (wasRecorded) await expect(world.request()).resolves.toMatchObject({ replayed: true });
    else await expect(world.request()).rejects.toEqual(unknown);
    expect(world.effects).toHaveLength(hadEffect || step === 'before the claim' ? 1 : 0);
  });

  it('is followed by a run that knows of it where that is safe', async () => {
    const world = startWorld('run-again');
    await killedAt(step, world);
    const killed = world.stored.get('key')?.lease.holder;
    world.clock.now += leaseMs;
    await world.request();
    const last = world.effects.at(-1);
    if (wasRecorded) expect(world.effects).toHaveLength(1);
    else expect(last?.earlier).toEqual(killed === undefined ? [] : [killed]);
    expect(await world.request()).toMatchObject({ replayed: true });
  });
});
