import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import type { Breaker } from '#shared/webhooks/breaker.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { answered, deliveryEngine, type Engine } from '#support/worlds/delivery-engine.ts';
import type { TestNumber } from '#support/worlds/delivery-world.ts';
import { resetBreaker, startDrain } from './drain.ts';

let engine: Engine;
let number: TestNumber;
let logged: ReturnType<typeof captureLog>;

beforeEach(async () => {
  logged = captureLog();
  engine = deliveryEngine();
  number = await engine.newNumber();
});

/** Counts a failure at the webhook as another process does. */
const countFailure = () =>
  engine.breakers.countFailures(number.id, 'webhook', {
    url: String(number.webhook),
    failed: [newId()],
  });

/** A target that has failed so often that it is open, and so many deliveries held for it. */
async function hold(count: number): Promise<void> {
  engine.answer = async () => answered(503);
  await engine.accept(number, count);
  await engine.run();
  engine.posts.length = 0;
  engine.answer = async () => answered(200);
}

const start = () => startDrain(number.id, 'webhook', engine.context());

describe('the release of a backlog', () => {
  it('begins once, and only for an open breaker', async () => {
    expect(await start()).toBe(false);
    await hold(15);
    expect(await Promise.all([start(), start()])).toEqual(expect.arrayContaining([true, false]));
    expect(engine.queued).toHaveLength(1);
    expect(logged.filter(({ event }) => event === 'target.recovered')).toEqual([
      { level: 'info', event: 'target.recovered', target: 'webhook' },
    ]);
  });

  it('releases a hundred deliveries a second, oldest first', async () => {
    await hold(230);
    const held = (await engine.deliveriesOf(number)).map(({ id }) => id).reverse();
    await start();
    const begin = engine.clock.now + 2_000;
    await engine.run();
    expect(engine.posts.map(({ id }) => id)).toEqual(held);
    expect(engine.posts.map(({ at }) => at - begin)).toEqual(held.map((_, index) => Math.floor(index / 100) * 1_000));
  });

  it('continues after the last delivery of a step, and reads no more of the list than a step', async () => {
    await hold(120);
    const held = (await engine.deliveriesOf(number)).map(({ id }) => id).reverse();
    const lists: unknown[] = [];
    const listHeld: typeof engine.deliveries.listHeld = (id, target, options) => {
      lists.push(options);
      return engine.deliveries.listHeld(id, target, options);
    };
    await start();
    await engine.run({ for: 4_000, context: engine.context({ deliveries: { ...engine.deliveries, listHeld } }) });
    expect(lists).toEqual([
      { after: undefined, wanted: 100 },
      { after: held[99], wanted: 100 },
    ]);
  });

  it.each([
    [15, [2, 5, 5, 10, 20, 30]],
    [100, [2, 1, 5, 5, 10, 20, 30]],
  ])('counts the empty rounds since it found the last of %i deliveries', async (count, expected) => {
    await hold(count);
    await start();
    const rounds: number[] = [];
    for (let next = engine.queued.shift(); next; next = engine.queued.shift()) {
      if (next.message.task === 'drain') rounds.push((next.due - engine.clock.now) / 1_000);
      engine.clock.now = next.due;
      await engine.handle(next.message);
    }
    expect(rounds).toEqual(expected);
  });

  it('leaves a released delivery to its message for half an hour, then to the sweep', async () => {
    await hold(12);
    await start();
    engine.clock.now += 2_000;
    const [first] = engine.queued.splice(0);
    if (first) await engine.handle(first.message);
    expect(engine.queued.splice(0).filter(({ message }) => message.task === 'retry')).toHaveLength(12);
    const due = async () => (await Array.fromAsync(engine.deliveries.listDue(engine.clock.now))).length;
    engine.clock.now += 1_800_000;
    expect(await due()).toBe(0);
    engine.clock.now += 1;
    expect(await due()).toBe(12);
  });

  it('ends a minute later, when no process can be holding any more deliveries', async () => {
    await hold(15);
    await start();
    await engine.run({ for: 60_000 });
    expect(await engine.states(number)).toEqual({ delivered: 15 });
    expect(await engine.breaker(number)).toMatchObject({ drain: {} });
    await engine.run();
    expect(await engine.breaker(number)).toEqual({ failures: 0 });
  });

  it.each([
    ['a process with outdated state holds meanwhile', 2_900],
    ['a stuck delivery process holds at the end of its life', 30_000],
  ])('the release of a backlog finds deliveries that %s', async (_, milliseconds) => {
    await hold(15);
    const stale = await engine.targets.read(number.id);
    await start();
    await engine.run({ for: milliseconds });
    const late = engine.notification(number);
    const asItWas = { ...engine.targets, read: async () => stale };
    await engine.handle(late, engine.context({ targets: asItWas }));
    expect(await engine.deliveries.get(number.id, late.id, ['webhook'])).toMatchObject({ state: 'held' });
    await engine.run();
    expect(await engine.states(number)).toEqual({ delivered: 16 });
  });

  it('takes few messages once the list is empty', async () => {
    await hold(15);
    await start();
    let drains = 0;
    for (let next = engine.queued[0]; next; next = engine.queued[0]) {
      engine.queued.shift();
      engine.clock.now = next.due;
      if (next.message.task === 'drain') drains++;
      await engine.handle(next.message);
    }
    expect(drains).toBeLessThanOrEqual(6);
    expect(await engine.breaker(number)).toEqual({ failures: 0 });
  });

  it('sends each delivery once, however long the receiver takes', async () => {
    await hold(150);
    await start();
    const released: string[] = [];
    for (let rounds = 0; rounds < 10; rounds++) {
      engine.clock.now += 30_000;
      const due = engine.queued.splice(0);
      released.push(...due.flatMap(({ message }) => (message.task === 'retry' ? [message.id] : [])));
      for (const { message } of due) if (message.task === 'drain') await engine.handle(message);
    }
    expect(released).toHaveLength(150);
    expect(new Set(released).size).toBe(150);
  });

  it('is not ended by a success that began before the target failed', async () => {
    await hold(15);
    const before: Breaker = { failures: 1, first_delivery: newId() };
    await start();
    await resetBreaker(number.id, 'webhook', before, engine.context());
    await engine.run();
    expect(await engine.states(number)).toEqual({ delivered: 15 });
  });

  it('stops for a message that a newer one has replaced', async () => {
    await hold(15);
    await engine.breakers.startDraining(number.id, 'webhook', newId(), engine.clock.now);
    await engine.handle({ task: 'drain', subscriber: number.id, target: 'webhook', token: newId() });
    expect(engine.queued).toEqual([]);
  });
});

describe('a target that has delivered', () => {
  it.each([
    ['its target was deleted', undefined],
    ['nothing is known against it', { failures: 0 }],
    ['it is being drained without a failure since', { failures: 0, drain: { token: newId(), since: 0, at: 0 } }],
  ])('costs no write if %s', async (_, breaker) => {
    const reject = () => Promise.reject(new Error('a write'));
    const breakers = { ...engine.breakers, reset: reject, clearFailures: reject, startDraining: reject };
    await resetBreaker(number.id, 'webhook', breaker, { ...engine.context(), breakers });
  });
});

describe('a target that succeeds again', () => {
  const forget = async () => resetBreaker(number.id, 'webhook', await engine.breaker(number), engine.context());

  it('a target that succeeds again has its failures cleared', async () => {
    await countFailure();
    await forget();
    expect(await engine.breaker(number)).toEqual({ failures: 0 });
  });

  it('has its backlog released if its breaker was open', async () => {
    await hold(15);
    await forget();
    await engine.run();
    expect(await engine.states(number)).toEqual({ delivered: 15 });
  });

  it('leaves no delivery waiting for a message that was already handled if the target fails again', async () => {
    await hold(15);
    await start();
    const [message] = engine.queued.splice(0);
    const context = engine.context();
    const queue: typeof context.queue = {
      async send(messages) {
        await context.queue.send(messages);
        const released = engine.queued.filter(({ message: { task } }) => task === 'retry');
        if (released.length === 0) return;
        await engine.breakTarget(number.id, 60_000);
        for (const { message: retry } of released) {
          engine.queued.splice(
            engine.queued.findIndex((queued) => queued.message === retry),
            1,
          );
          await engine.handle(retry);
        }
      },
    };
    engine.clock.now += 2_000;
    if (message) await engine.handle(message.message, engine.context({ queue }));
    expect(await engine.states(number)).toEqual({ held: 15 });
  });

  it('starts counting failures again while its backlog is released', async () => {
    await hold(15);
    await start();
    await countFailure();
    await forget();
    expect(await engine.breaker(number)).toMatchObject({ failures: 0, drain: {} });
  });
});
