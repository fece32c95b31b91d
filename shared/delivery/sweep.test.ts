import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { answered, deliveryEngine, type Engine } from '#support/worlds/delivery-engine.ts';
import type { TestNumber } from '#support/worlds/delivery-world.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { sweep } from './sweep.ts';

let engine: Engine;
let number: TestNumber;
let logged: ReturnType<typeof captureLog>;

beforeEach(async () => {
  logged = captureLog();
  engine = deliveryEngine();
  number = await engine.newNumber();
});

/** Deliveries that failed and wait for so many seconds. */
async function leaveWaiting(count: number, seconds: number): Promise<void> {
  engine.answer = async () => answered(500);
  for (let index = 0; index < count; index++) await engine.accept(await engine.newNumber(), 1);
  await engine.run({ context: engine.context({ schedule: [seconds] }) });
}

const delays = () => engine.queued.map(({ due }) => due - engine.clock.now);

describe('a delivery with a long wait', () => {
  it('is sent to the queue up to a minute early, with the rest of its delay', async () => {
    await leaveWaiting(3, 1_000);
    engine.clock.now += 939_000;
    await engine.sweep();
    expect(delays()).toEqual([]);
    engine.clock.now += 2_000;
    await engine.sweep();
    expect(delays()).toEqual([59_000, 59_000, 59_000]);
  });

  it('is sent at once when it is overdue', async () => {
    await leaveWaiting(1, 1_000);
    engine.clock.now += 10_000_000;
    await engine.sweep();
    expect(delays()).toEqual([0]);
  });

  it('is sent in batches of a hundred', async () => {
    await leaveWaiting(120, 1_000);
    engine.clock.now += 1_000_000;
    const steps: number[] = [];
    const send: typeof engine.queue.send = async (messages) => {
      steps.push(messages.length);
    };
    await sweep({ ...engine.context(), queue: { send } });
    expect(steps).toEqual([100, 20]);
  });

  it('is sent exactly once, however many there are and however often the sweep runs', async () => {
    await leaveWaiting(120, 1_000);
    engine.posts.length = 0;
    engine.answer = async () => answered(200);
    engine.clock.now += 1_000_000;
    await Promise.all([engine.sweep(), engine.sweep()]);
    expect(engine.queued).toHaveLength(120);
    await engine.sweep();
    expect(engine.queued).toHaveLength(120);
    await engine.run();
    expect(engine.posts).toHaveLength(120);
    await engine.sweep();
    expect(engine.queued).toEqual([]);
  });
});

describe('a wait whose message is lost', () => {
  it('ends half an hour late if it was a short one', async () => {
    engine.answer = async () => answered(500);
    await engine.accept(number, 1);
    await engine.run({ for: 0 });
    engine.posts.length = 0;
    engine.answer = async () => answered(200);
    expect(engine.queued.splice(0)).toHaveLength(1);
    // The sweep looks a minute ahead.
    engine.clock.now += 10_000 + 1_800_000 - 61_000;
    await engine.sweep();
    expect(engine.queued).toEqual([]);
    engine.clock.now += 2_000;
    await engine.sweep();
    await engine.run();
    expect(engine.posts).toHaveLength(1);
  });

  it('is sent again, each time later, until a delivery process takes it', async () => {
    await leaveWaiting(3, 1_000);
    engine.clock.now += 1_000_000;
    for (let minute = 0; minute < 60; minute++) {
      await engine.sweep();
      engine.clock.now += 60_000;
    }
    expect(engine.queued).toHaveLength(3 * 4);
    engine.posts.length = 0;
    engine.answer = async () => answered(200);
    await engine.run();
    expect(engine.posts).toHaveLength(3);
  });
});

describe('a sweep that fails for one target', () => {
  it('handles the others, and fails at the end', async () => {
    const numbers = [number, await engine.newNumber(), await engine.newNumber()];
    engine.answer = async () => answered(503);
    for (const one of numbers) await engine.accept(one, 12);
    await engine.run();
    engine.clock.now += 30_000;
    const [, broken] = numbers.map(({ id }) => id).sort();
    const context = engine.context();
    const targets = {
      ...engine.targets,
      read: (id: string) => (id === broken ? Promise.reject(new Error('no such partition')) : engine.targets.read(id)),
    };
    await expect(sweep({ ...context, targets })).rejects.toThrow('no such partition');
    expect(engine.queued.map(({ message }) => message.subscriber).sort()).toEqual(
      numbers
        .map(({ id }) => id)
        .filter((id) => id !== broken)
        .sort(),
    );
    expect(logged.filter(({ event }) => event === 'sweep.failed')).toMatchObject([
      { subscriber: broken, target: 'webhook', error_message: 'no such partition' },
    ]);
  });

  it('says which delivery it could not postpone', async () => {
    engine.answer = async () => answered(500);
    const [broken] = await engine.accept(number, 2);
    await engine.run({ context: engine.context({ schedule: [1_000] }) });
    engine.clock.now += 1_000_000;
    const postpone: DeliveryStore['postpone'] = async (due, until) => {
      if (due.id === broken) throw new Error('no such item');
      return engine.deliveries.postpone(due, until);
    };
    const sweeping = sweep({ ...engine.context(), deliveries: { ...engine.deliveries, postpone } });
    await expect(sweeping).rejects.toThrow('no such item');
    expect(engine.queued).toHaveLength(1);
    expect(logged.filter(({ event }) => event === 'sweep.failed')).toMatchObject([
      { subscriber: number.id, target: 'webhook', delivery: broken, error_message: 'no such item' },
    ]);
  });
});

describe('a sweep whose messages the queue rejects', () => {
  it('fails, and says how many deliveries it could not send', async () => {
    await leaveWaiting(120, 1_000);
    engine.clock.now += 1_000_000;
    const send = () => Promise.reject(new Error('no queue'));
    await expect(sweep({ ...engine.context(), queue: { send } })).rejects.toThrow('no queue');
    const lines = logged.filter(({ event }) => event === 'sweep.failed');
    expect(lines.map(({ stack, ...line }) => line)).toEqual(
      [100, 20].map((count) => ({
        level: 'error',
        event: 'sweep.failed',
        count,
        error: 'Error',
        error_message: 'no queue',
      })),
    );
  });
});

describe('a target that is paused', () => {
  it('costs a sweep no reads or writes once that is announced', async () => {
    engine.answer = async () => answered(503);
    await engine.accept(number, 12);
    await engine.run();
    await engine.breakers.pause(number.id, 'webhook', engine.clock.now);
    await engine.sweep();
    const reject = () => Promise.reject(new Error('asked about a paused target'));
    const targets = { ...engine.targets, read: reject };
    const breakers = { ...engine.breakers, read: reject, pause: reject, continueDraining: reject };
    // It has failed for so long that it would be paused, if it were not already.
    engine.clock.now += 30 * 3_600_000;
    await sweep({ ...engine.context(), targets, breakers });
    expect(engine.queued).toEqual([]);
  });
});

describe('a target whose breaker is open', () => {
  beforeEach(async () => {
    engine.answer = async () => answered(503);
    await engine.accept(number, 12);
    await engine.run();
    engine.posts.length = 0;
  });

  it('is paused after 28 hours, which is logged once', async () => {
    engine.clock.now += 28 * 3_600_000;
    await sweep({ ...engine.context(), breakers: { ...engine.breakers, pause: async () => false } });
    expect(logged.filter(({ event }) => event === 'target.paused')).toEqual([]);
    await engine.sweep();
    expect(await engine.breaker(number)).toMatchObject({ paused_at: engine.clock.now });
    expect(logged.filter(({ event }) => event === 'target.paused')).toEqual([
      { level: 'error', event: 'target.paused', subscriber: number.id, target: 'webhook' },
    ]);
    expect(engine.queued).toEqual([]);
  });

  it('is probed with the oldest and the newest delivery in turn', async () => {
    const held = (await engine.deliveriesOf(number)).map(({ id }) => id);
    const { probes = 0 } = (await engine.breaker(number)) ?? {};
    for (let probe = probes; probe < probes + 4; probe++) {
      engine.clock.now += 900_000;
      await engine.sweep();
      const due = engine.queued.map(({ message }) => 'id' in message && message.id);
      expect(due).toEqual([probe % 2 === 0 ? held.at(-1) : held[0]]);
      await engine.run();
    }
  });

  it('has all held deliveries ended when its number is deleted', async () => {
    engine.memory.subscribers.delete(number.id);
    engine.clock.now += 30_000;
    await engine.sweep();
    expect(engine.queued).toHaveLength(12);
    await engine.run();
    expect(await engine.states(number)).toEqual({ discarded: 12 });
  });

  describe('and whose URL was replaced', () => {
    const moveWebhook = async () => {
      await engine.targets.setUrls(number.id, { webhook: null });
      await engine.targets.setUrls(number.id, { webhook: 'https://example.com/new' });
      return (await engine.targets.read(number.id))?.targets.webhook.version ?? 0;
    };
    /** Of the two orders of probes. */
    const oldestFirst = async () => ((await engine.breaker(number))?.probes ?? 0) % 2 === 0;
    const dueIds = () => engine.queued.map(({ message }) => ('id' in message ? message.id : ''));

    it('gets a probe of its own, after the deliveries to the previous URL', async () => {
      const left = (await engine.deliveriesOf(number)).map(({ id }) => id);
      const target_version = await moveWebhook();
      const later = [1, 2].map(() => ({ ...engine.notification(number), target_version }));
      for (const message of later) await engine.handle(message);
      while (!(await oldestFirst())) {
        engine.clock.now += 900_000;
        await engine.handle({ ...engine.notification(number), target_version });
      }
      engine.clock.now += 900_000;
      engine.queued.length = 0;
      await engine.sweep();
      expect(dueIds().slice(0, 12)).toEqual(left.reverse());
      expect(engine.queued).toHaveLength(13);
    });

    it('gets no more than a hundred old deliveries at once', async () => {
      await engine.accept(number, 110);
      await engine.run();
      await moveWebhook();
      engine.clock.now += 900_000;
      await engine.sweep();
      expect(engine.queued).toHaveLength(100);
    });
  });

  it('is not touched until a probe is due', async () => {
    await engine.sweep();
    expect(engine.queued).toEqual([]);
    engine.clock.now += 30_000;
    await engine.sweep();
    expect(engine.queued).toHaveLength(1);
  });

  it('is probed once, however many sweeps send a probe', async () => {
    engine.clock.now += 30_000;
    for (let sweeps = 0; sweeps < 3; sweeps++) await engine.sweep();
    await engine.run();
    expect(engine.posts).toHaveLength(1);
    expect(await engine.states(number)).toEqual({ held: 12 });
  });

  it.each([
    ['oldest', -1],
    ['newest', 0],
  ])('recovers even if it cannot process the %s delivery', async (_, place) => {
    const indigestible = (await engine.deliveriesOf(number)).at(place)?.id;
    engine.answer = async ({ id }) => answered(id === indigestible ? 500 : 200);
    for (let minute = 0; minute < 3; minute++) {
      engine.clock.now += 60_000;
      await engine.sweep();
      await engine.run({ for: 0 });
    }
    await engine.run();
    expect(await engine.states(number)).toMatchObject({ delivered: 11 });
    expect(await engine.breaker(number)).not.toHaveProperty('opened_at');
  });

  it('is not probed if its number is deactivated: held deliveries are discarded, a hundred in a sweep', async () => {
    await engine.accept(number, 120);
    await engine.run({ for: 100 });
    const { held = 0 } = await engine.states(number);
    expect(held).toBeGreaterThan(100);
    await engine.numbers.set(number.id, { active: false });
    engine.posts.length = 0;
    for (const left of [held - 100, 0]) {
      engine.clock.now += 900_000;
      await engine.sweep();
      await engine.run({ for: 0 });
      expect((await engine.states(number)).held ?? 0).toBe(left);
    }
    expect(engine.posts).toEqual([]);
  });

  it('is not probed if nothing is held for it any more', async () => {
    await engine.targets.setUrls(number.id, { webhook: null });
    for (const delivery of await engine.deliveriesOf(number)) {
      await engine.deliveries.discard(delivery, engine.clock.now);
    }
    engine.clock.now += 30_000;
    await engine.sweep();
    expect(engine.queued).toEqual([]);
  });
});

describe('a backlog', () => {
  it('whose release has stopped is released further, under another token', async () => {
    engine.answer = async () => answered(503);
    await engine.accept(number, 150);
    await engine.run();
    engine.answer = async () => answered(200);
    const lost = newId();
    await engine.breakers.startDraining(number.id, 'webhook', lost, engine.clock.now);
    engine.clock.now += 59_000;
    await engine.sweep();
    expect(engine.queued).toEqual([]);
    engine.clock.now += 1_000;
    await engine.sweep();
    expect(engine.queued).toHaveLength(1);
    await engine.run();
    expect(await engine.states(number)).toEqual({ delivered: 150 });
    expect(await engine.breaker(number)).toEqual({ failures: 0 });
    // The message that was lost for so long turns up after all.
    await engine.handle({ task: 'drain', subscriber: number.id, target: 'webhook', token: lost });
    expect(engine.queued).toEqual([]);
  });
});
