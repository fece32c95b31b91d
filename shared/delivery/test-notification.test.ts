import { beforeEach, describe, expect, it } from 'vitest';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { answered, deliveryEngine, type Engine } from '#support/worlds/delivery-engine.ts';
import type { TestNumber } from '#support/worlds/delivery-world.ts';
import { sendTestNotification } from './test-notification.ts';

const url = 'https://example.com/hook';
let engine: Engine;
let number: TestNumber;

beforeEach(async () => {
  captureLog();
  engine = deliveryEngine();
  number = await engine.newNumber();
  engine.answer = async () => answered(500);
});

async function sendTest(): Promise<void> {
  const { secrets } = engine;
  const settings = await engine.targets.read(number.id);
  await sendTestNotification(settings?.subscriber as PhoneNumber, { ...engine.context(), secrets });
}

/** Opens the breaker of the webhook. */
const open = () => engine.breakTarget(number.id, 1);

describe('a test notification that fails', () => {
  it('is retried after the first three waits, then exhausted, and its failures are not counted', async () => {
    await sendTest();
    await engine.run();
    expect(engine.posts.map(({ at }) => at - Number(engine.posts[0]?.at))).toEqual([0, 10_000, 40_000, 160_000]);
    expect(await engine.states(number)).toEqual({ exhausted: 1 });
    expect(await engine.breaker(number)).toEqual({ failures: 0 });
  });

  it.each(['an open', 'a paused'])('is retried through %s breaker, and leaves it as it is', async (kind) => {
    await open();
    if (kind === 'a paused') await engine.breakers.pause(number.id, 'webhook', engine.clock.now);
    const before = await engine.breaker(number);
    await sendTest();
    engine.answer = async () => answered(200);
    await engine.run();
    expect(engine.posts).toHaveLength(2);
    expect(await engine.states(number)).toEqual({ delivered: 1 });
    expect(await engine.breaker(number)).toEqual(before);
  });

  it('goes to the URL that is set by then, even if one was removed before', async () => {
    await sendTest();
    await engine.targets.setUrls(number.id, { webhook: null });
    await engine.targets.setUrls(number.id, { webhook: `${url}/new` });
    engine.answer = async () => answered(200);
    await engine.run();
    expect(engine.posts.map((post) => post.url)).toEqual([url, `${url}/new`]);
  });

  it('ends when there is no URL', async () => {
    await sendTest();
    await engine.targets.setUrls(number.id, { webhook: null });
    await engine.run();
    expect(engine.posts).toHaveLength(1);
    expect(await engine.states(number)).toEqual({ discarded: 1 });
  });

  it('is retried by the sweep if its message is lost', async () => {
    await sendTest();
    engine.queued.length = 0;
    await open();
    engine.clock.now += 3_600_000;
    await engine.sweep();
    engine.answer = async () => answered(200);
    await engine.run();
    expect(await engine.states(number)).toEqual({ delivered: 1 });
    expect((await engine.breaker(number))?.opened_at).toBeDefined();
  });
});
