import { beforeEach, describe, expect, it } from 'vitest';
import { seededWorkspaces } from '#local/seed.ts';
import { newId } from '#shared/base/ids.ts';
import { withLogContext } from '#shared/base/logger.ts';
import { hourMs } from '#shared/base/time.ts';
import { workspaceSubscriber } from '#shared/webhooks/subscriber.ts';
import { createSecret } from '#shared/webhooks/webhook-signature.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { answered, deliveryEngine, type Engine } from '#support/worlds/delivery-engine.ts';
import type { TestNumber } from '#support/worlds/delivery-world.ts';
import { announceTarget } from './announce-target.ts';
import { startDrain } from './drain.ts';
import { sweep } from './sweep.ts';

const workspaceUrl = 'https://example.com/workspace';

let engine: Engine;
let number: TestNumber;

beforeEach(async () => {
  captureLog();
  engine = deliveryEngine();
  for (const workspace of seededWorkspaces) engine.memory.addSubscriber(workspaceSubscriber(workspace), createSecret());
  number = await engine.newNumber();
  await engine.targets.setUrls(number.workspace, { webhook: workspaceUrl });
});

/** Lets the number's webhook fail until its circuit breaker opens; the workspace's webhook responds. */
async function fail(): Promise<void> {
  engine.answer = async ({ url }) => answered(url === workspaceUrl ? 200 : 503);
  await engine.accept(number, 12);
  await engine.run();
}

const announced = () =>
  engine.posts.filter(({ url }) => url === workspaceUrl).map(({ body, id }) => ({ ...JSON.parse(String(body)), id }));
const types = () => announced().map(({ type }) => type);

const iso = (ms: number | undefined) => new Date(Number(ms)).toISOString().replace('Z', '000Z');

const queue = { send: () => Promise.reject(new Error('no queue')) };

describe('the workspace of a number', () => {
  it('is sent an event when the circuit breaker of a target opens', async () => {
    await fail();
    const since = iso((await engine.breaker(number))?.opened_at);
    expect(announced()).toEqual([
      {
        id: expect.any(String),
        type: 'target.failing',
        timestamp: since,
        data: { number: number.id, target: 'webhook', since, failures: 10 },
      },
    ]);
  });

  it('is sent an event with the request that led to it', async () => {
    await fail();
    await withLogContext({ request: 'the-resume' }, () => startDrain(number.id, 'webhook', engine.context()));
    const events = engine.queued.map(({ message }) => message).filter(({ task }) => task === 'deliver');
    expect(events).toMatchObject([{ subscriber: number.workspace, kind: 'service', request: 'the-resume' }]);
  });

  it('is sent an event when the target is paused, and when it is resumed', async () => {
    await fail();
    const since = iso((await engine.breaker(number))?.opened_at);
    engine.clock.now += 29 * hourMs;
    const paused = iso(engine.clock.now);
    await engine.sweep();
    await engine.run();
    expect(announced()[1]).toMatchObject({ type: 'target.paused', timestamp: paused, data: { since } });

    engine.answer = async () => answered(200);
    const closed = engine.clock.now;
    await startDrain(number.id, 'webhook', engine.context());
    await engine.run();
    expect(announced().slice(2)).toEqual([
      expect.objectContaining({
        type: 'target.recovered',
        timestamp: iso(closed),
        data: { number: number.id, target: 'webhook', since },
      }),
    ]);
  });

  it('is sent each event once by several sweeps and delivery processes', async () => {
    await fail();
    await Promise.all([engine.sweep(), engine.sweep()]);
    await announceTarget({ subscriber: number.id, target: 'webhook' }, engine.context());
    await engine.run();
    expect(types()).toEqual(['target.failing']);
  });

  it('is sent an event by the sweep if the process that opened the breaker was killed', async () => {
    await engine.breakTarget(number.id, 60_000);
    engine.answer = async () => answered(200);
    await engine.sweep();
    await engine.run();
    expect(types()).toEqual(['target.failing']);
  });

  it('is sent both events, in order, of a target that has recovered before either was sent', async () => {
    engine.answer = async () => answered(200);
    await engine.breakTarget(number.id, 60_000);
    engine.clock.now += 1;
    await startDrain(number.id, 'webhook', engine.context());
    await engine.run();
    expect(types()).toEqual(['target.failing', 'target.recovered']);
  });

  it('is sent every event of a target that recovers and fails again at once', async () => {
    await fail();
    await startDrain(number.id, 'webhook', engine.context());
    engine.clock.now += 1_000;
    await engine.breakTarget(number.id, 60_000);
    await engine.sweep();
    await engine.run({ for: 10_000 });
    expect(types()).toEqual(['target.failing', 'target.recovered', 'target.failing']);
  });

  it('is sent by the sweep that a target works again if the process that closed the breaker was killed', async () => {
    await fail();
    await engine.breakers.startDraining(number.id, 'webhook', newId(), engine.clock.now);
    await engine.sweep();
    await engine.run({ for: 10_000 });
    expect(types()).toEqual(['target.failing', 'target.recovered']);
  });

  it('is sent no event of this service that its webhook leaves out', async () => {
    await engine.targets.changeTarget(number.workspace, 'webhook', { events: ['account_update', 'target.recovered'] });
    await fail();
    await startDrain(number.id, 'webhook', engine.context());
    await engine.run({ for: 10_000 });
    expect(types()).toEqual(['target.recovered']);
  });

  it('is sent no event when a target loses its URL', async () => {
    await fail();
    await engine.targets.setUrls(number.id, { webhook: null });
    await startDrain(number.id, 'webhook', engine.context());
    await engine.run();
    expect(types()).toEqual(['target.failing']);
    expect(await engine.breaker(number)).toEqual({ failures: 0 });
  });

  it('is sent an event under the same id if the process was killed before it noted that', async () => {
    await fail();
    const noteAnnounced = () => Promise.reject(new Error('killed'));
    const breaker = await engine.breaker(number);
    await engine.breakers.noteAnnounced(number.id, 'webhook', { name: 'nothing', isPause: false });
    await expect(sweep({ ...engine.context(), breakers: { ...engine.breakers, noteAnnounced } })).rejects.toThrow(
      'killed',
    );
    await engine.sweep();
    const ids = engine.queued.flatMap(({ message }) => (message.subscriber === number.workspace ? [message] : []));
    expect(ids).toHaveLength(2);
    expect(new Set(ids.map((message) => 'id' in message && message.id))).toEqual(new Set([announced()[0].id]));
    expect(breaker?.announced).toBe(`target.failing ${breaker?.opened_at}`);
  });

  it('does not keep a failing target from being handled if its event cannot be queued', async () => {
    engine.answer = async () => answered(503);
    const messages = Array.from({ length: 11 }, () => engine.notification(number));
    for (const message of messages) {
      await engine.handle(message, engine.context({ schedule: [10_000], queue })).catch(() => undefined);
    }
    expect((await engine.breaker(number))?.opened_at).toBeDefined();
    expect(await engine.states(number)).toMatchObject({ held: 1 });
  });
});

describe('a target whose event cannot be announced', () => {
  const unannounced = (breaker: { announced?: string } | undefined) => expect(breaker?.announced).toBeUndefined();
  const noteAnnounced = () => Promise.reject(new Error('cannot note'));
  const failing = () => ({ ...engine.context(), breakers: { ...engine.breakers, noteAnnounced } });

  it('is probed and paused all the same', async () => {
    engine.answer = async () => answered(503);
    const messages = Array.from({ length: 12 }, () => engine.notification(number));
    for (const message of messages) await engine.handle(message, failing());
    unannounced(await engine.breaker(number));
    engine.clock.now += hourMs;
    engine.queued.length = 0;
    await expect(sweep(failing())).rejects.toThrow('cannot note');
    expect(engine.queued.map(({ message }) => message)).toContainEqual(
      expect.objectContaining({ task: 'retry', subscriber: number.id }),
    );
    engine.clock.now += 28 * hourMs;
    await expect(sweep(failing())).rejects.toThrow('cannot note');
    expect((await engine.breaker(number))?.paused_at).toBe(engine.clock.now);
  });

  it('is drained all the same', async () => {
    await fail();
    engine.answer = async () => answered(200);
    await startDrain(number.id, 'webhook', failing());
    await engine.run({ for: 10_000, context: failing() });
    expect((await engine.states(number)).held).toBeUndefined();
  });
});

describe('a webhook of a workspace', () => {
  it('that fails causes no events about itself, and leaves the sweep once it is paused', async () => {
    engine.answer = async () => answered(503);
    await fail();
    engine.answer = async () => answered(503);
    const { workspace } = number;
    await engine.breakTarget(workspace, 60_000);
    await engine.breakers.pause(workspace, 'webhook', engine.clock.now);
    const before = engine.posts.length;
    await announceTarget({ subscriber: workspace, target: 'webhook' }, engine.context());
    await engine.run();
    expect(engine.posts).toHaveLength(before);
    const listed = await Array.fromAsync(engine.breakers.listOpenOrDraining());
    expect(listed.map(({ subscriber }) => subscriber)).not.toContain(workspace);
  });

  it('that does not exist costs a target that opens no message', async () => {
    await engine.targets.setUrls(number.workspace, { webhook: null });
    await fail();
    expect(engine.posts.every(({ url }) => url !== workspaceUrl)).toBe(true);
    expect((await engine.breaker(number))?.announced).toMatch(/^target.failing /);
  });
});
