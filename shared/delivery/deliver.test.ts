import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { type Attempt, createSender } from '#shared/egress/post.ts';
import { rotateSecret } from '#shared/webhooks/rotate-secret.ts';
import { type DeliverySettings, newTarget } from '#shared/webhooks/subscriber.ts';
import { rememberSecrets } from '#shared/webhooks/subscriber-store.ts';
import type { TargetChanges } from '#shared/webhooks/webhook-settings.ts';
import { createSecret, hubSignature, hubSignatureHeader } from '#shared/webhooks/webhook-signature.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { caPem, loopback, nothing, sendingService } from '#support/fakes/egress.ts';
import { verified } from '#support/http/receiver.ts';
import { answered, deliveryEngine, type Engine, type Post, timedOut } from '#support/worlds/delivery-engine.ts';
import type { TestNumber } from '#support/worlds/delivery-world.ts';
import { changeTarget, deleteTarget } from './change-target.ts';
import type { Delivery } from './delivery.ts';
import type { ProcessContext } from './delivery-context.ts';
import { startDrain } from './drain.ts';
import { type AttemptMessage, parseMessage, type QueueMessage, type Retry } from './notification.ts';
import { defaultSchedule } from './retry-schedule.ts';

let engine: Engine;
let number: TestNumber;
let logged: ReturnType<typeof captureLog>;

// A table each: sweeps see to all that is in one.
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

const deleteNumber = () => engine.numbers.delete(number);

const webhook = async () => (await engine.targets.read(number.id))?.targets.webhook ?? newTarget();

/** What a batch knows of the number, instead of what it would read. */
const knowing = (settings: DeliverySettings | undefined): ProcessContext =>
  engine.context({ targets: { ...engine.targets, read: async () => settings } });

const only = async () => {
  const [delivery, ...others] = await engine.deliveriesOf(number);
  if (!delivery || others.length > 0) throw new Error('There should be one delivery');
  return delivery;
};

/** Whether a receiver with this secret accepts a POST that is made now, and has JSON in its body. */
function isSigned(post: Post | undefined, secret: string): boolean {
  if (!post) throw new Error('Nothing was sent');
  const request = { path: '', method: '', at: 0, headers: post.headers, body: Buffer.from(post.body) };
  try {
    verified(request, secret);
    return true;
  } catch {
    return false;
  }
}

/** Brings the clock to just before what waits longest in the table, and lets the sweep find it. */
async function sweepTo(time: number): Promise<void> {
  engine.clock.now = Math.max(engine.clock.now, time - 30_000);
  await engine.sweep();
  await engine.run();
}

describe('a first attempt', () => {
  it('delivers if the response is 200', async () => {
    await engine.accept(number, 1);
    await engine.run();
    expect(engine.posts).toHaveLength(1);
    expect(engine.posts[0]).toMatchObject({ url: number.webhook, body: '0', timeoutMs: 10_000 });
    const delivery = await only();
    expect(delivery).toMatchObject({
      state: 'delivered',
      attempt_count: 1,
      attempts: [{ status: 200, duration_ms: 20 }],
    });
    expect(delivery).not.toHaveProperty('lease');
    expect(await engine.breaker(number)).toEqual({ failures: 0 });
  });

  it.each([
    [answered(500, {}, 'out of order'), { status: 500, excerpt: 'out of order' }],
    [answered(201), { status: 201 }],
    [answered(204), { status: 204 }],
    [answered(302), { status: 302 }],
    [timedOut, { error: 'timeout' }],
  ])('that fails is recorded and repeated later', async (attempt, recorded) => {
    engine.answer = async () => attempt;
    await engine.accept(number, 1);
    const begin = engine.clock.now;
    await engine.run({ for: 0 });
    const delivery = await only();
    expect(delivery).toMatchObject({ state: 'waiting', attempt_count: 1, next_attempt_at: begin + 10_000 });
    expect(delivery.attempts).toEqual([expect.objectContaining(recorded)]);
    expect(engine.queued).toEqual([
      { message: expect.objectContaining({ task: 'retry', id: delivery.id, attempt_count: 1 }), due: begin + 10_000 },
    ]);
  });

  it('is signed with the secret of the number', async () => {
    engine.clock.now = Date.now();
    await engine.accept(number, 1);
    await engine.run();
    expect([number.secret, createSecret()].map((secret) => isSigned(engine.posts[0], secret))).toEqual([true, false]);
  });

  it('is never sent unsigned: the message fails if its number was deleted meanwhile, and ends later', async () => {
    const read: ProcessContext['targets']['read'] = async (subscriber) => {
      const settings = await engine.targets.read(subscriber);
      await deleteNumber();
      return settings;
    };
    const message = engine.notification(number);
    const late = engine.context({ targets: { ...engine.targets, read } });
    await expect(engine.handle(message, late)).rejects.toThrow('The target was deleted meanwhile');
    expect(await only()).toMatchObject({ state: 'sending', attempt_count: 0 });
    await engine.handle(message);
    await engine.run();
    expect(engine.posts).toEqual([]);
    expect(await only()).toMatchObject({ state: 'discarded', attempt_count: 0, attempts: [] });
  });

  it('that outlives its lease is not recorded over the attempt that followed, even in the same process', async () => {
    const first = Promise.withResolvers<Attempt>();
    engine.answer = () => (engine.posts.length === 1 ? first.promise : Promise.resolve(answered(200)));
    const context = engine.context();
    const message = engine.notification(number);
    const stale = engine.handle(message, context);
    await expect.poll(() => engine.posts.length).toBe(1);
    engine.clock.now += 15_001;
    const next = engine.handle(message, context);
    await expect.poll(() => engine.posts.length).toBe(2);
    first.resolve(timedOut);
    await stale;
    await next;
    expect(await only()).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }] });
  });

  it('throws for a fault of ours, and is taken over when the message comes again', async () => {
    const message = engine.notification(number);
    const broken = engine.context({ readPayload: () => Promise.reject(new Error('no bucket')) });
    await expect(engine.handle(message, broken)).rejects.toThrow('no bucket');
    expect(await only()).toMatchObject({ state: 'sending', attempt_count: 0 });
    engine.clock.now += 15_000;
    await engine.handle(message);
    expect(await only()).toMatchObject({ state: 'delivered', attempt_count: 1 });
  });
});

describe('a target with a name of its own', () => {
  const change = (changes: TargetChanges, name = 'crm') =>
    changeTarget(number, { name, isOwner: true }, changes, engine.changeContext());
  const url = 'https://crm.example.com/';
  const meta = { url, format: 'meta', verify_token: 'token', app_secret: 'first'.repeat(4) } as const;
  const remove = (name = 'crm') => deleteTarget(number, name, engine.changeContext());

  it('is signed with its own secret, which no other target has', async () => {
    engine.clock.now = Date.now();
    const { target, secret = '' } = await change({ url });
    await engine.accept(number, 1, target);
    await engine.run();
    expect(engine.posts.map((post) => [post.url, isSigned(post, secret), isSigned(post, number.secret)])).toEqual([
      [url, true, false],
    ]);
  });

  it('is signed as Meta does in its format, at once with a new app secret, also what waits', async () => {
    const { target } = await change(meta);
    const [app, another] = [meta.app_secret, 'another'.repeat(4)];
    const message = { ...engine.notification(number, '{"object":"x"}', target), format: 'meta' as const };
    engine.answer = async () => answered(503);
    await engine.handle(message);
    await change({ app_secret: another });
    // What came in one format keeps it.
    await change({ format: 'standard' });
    engine.answer = async () => answered(200);
    await engine.run();
    const signatures = engine.posts.map(({ headers }) => headers[hubSignatureHeader]);
    expect(signatures).toEqual([app, another].map((secret) => hubSignature('{"object":"x"}', secret)));
    expect(engine.posts.every(({ headers }) => String(headers['webhook-signature']).startsWith('v1,'))).toBe(true);
    expect((await engine.deliveriesOf(number)).map(({ state, format }) => [state, format])).toEqual([
      ['delivered', 'meta'],
    ]);
  });

  it('has no such signature in the usual format', async () => {
    const { target } = await change(meta);
    await engine.accept(number, 1, target);
    await engine.run();
    expect(engine.posts[0]?.headers).not.toHaveProperty(hubSignatureHeader);
  });

  it('gets nothing more once it is deleted, whatever waits for it and whoever has its name then', async () => {
    const { target } = await change({ url });
    engine.answer = async () => answered(503);
    await engine.accept(number, 13, target);
    await engine.run({ for: 20_000 });
    expect(new Set(Object.keys(await engine.states(number)))).toContain('held');
    const [queued] = [engine.notification(number, 'late', target)];
    await engine.queue.send([{ message: queued, delaySeconds: 5 }]);
    await remove();
    const again = await change({ url });
    expect(again.target).not.toBe(target);
    engine.answer = async () => answered(200);
    engine.posts.length = 0;
    await engine.run();
    expect(engine.posts).toEqual([]);
    expect(Object.keys(await engine.states(number))).toEqual(['discarded']);
    engine.clock.now = Date.now();
    await engine.accept(number, 1, again.target);
    await engine.run();
    expect(engine.posts).toHaveLength(1);
    expect(isSigned(engine.posts[0], String(again.secret))).toBe(true);
  });

  it('is not slowed by five others that are dead, and neither is the number', async () => {
    const made = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => change({ url: `${url}${name}` }, name)));
    engine.answer = async (post) => (post.url.startsWith(url) ? timedOut : answered(200));
    for (let round = 0; round < 12; round++) {
      for (const { target } of made) await engine.accept(number, 1, target);
      await engine.accept(number, 1);
      await engine.run({ for: 1_000 });
    }
    const breakers = await Promise.all(made.map(({ target }) => engine.breaker(number, target)));
    expect(breakers.map((breaker) => breaker?.opened_at !== undefined)).toEqual([true, true, true, true, true]);
    expect((await engine.breaker(number))?.failures).toBe(0);
    const deliveries = await engine.deliveriesOf(number);
    expect(deliveries.filter(({ target }) => target === 'webhook').map(({ state }) => state)).toEqual(
      Array(12).fill('delivered'),
    );
  });
});

describe('the schedule', () => {
  it.each([0, 0.25, 0.5, 0.999])(
    'is followed to the end with its jitter (random %f), and then the delivery is exhausted',
    async (random) => {
      engine.random = random;
      engine.answer = async () => answered(500);
      await engine.accept(number, 1);
      await engine.run();
      for (let delivery = await only(); delivery.state === 'waiting'; delivery = await only()) {
        await sweepTo(delivery.next_attempt_at ?? 0);
      }
      const times = engine.posts.map(({ at }) => at);
      const gaps = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 1000);
      const expected = defaultSchedule.map((delay) => delay * (0.8 + 0.4 * random));
      expect(gaps).toHaveLength(10);
      // The queue counts in whole seconds.
      for (const [index, gap] of gaps.entries()) expect(Math.abs(gap - (expected[index] ?? 0))).toBeLessThanOrEqual(1);
      const delivery = await only();
      expect(delivery).toMatchObject({ state: 'exhausted', attempt_count: 11 });
      expect(delivery.attempts).toHaveLength(11);
      const ended = { delivery: delivery.id, subscriber: number.id, target: 'webhook' };
      expect(logged).toContainEqual({ level: 'warn', event: 'delivery.exhausted', ...ended });
      engine.clock.now += 24 * 3_600_000;
      await engine.sweep();
      expect(engine.queued).toEqual([]);
    },
  );

  it('uses the queue for delays up to 15 minutes, and the table for longer ones', async () => {
    engine.answer = async () => answered(500);
    await engine.accept(number, 1);
    await engine.run();
    expect(await only()).toMatchObject({ state: 'waiting', attempt_count: 5 });
    engine.clock.now += 1_700_000;
    await engine.sweep();
    expect(engine.queued).toEqual([]);
    engine.clock.now += 50_000;
    await engine.sweep();
    await engine.sweep();
    expect(engine.queued.map(({ due }) => due - engine.clock.now)).toEqual([50_000]);
    await engine.run();
    expect(await only()).toMatchObject({ state: 'waiting', attempt_count: 6 });
  });
});

describe('a wait', () => {
  it.each([
    [900, 1],
    [901, 0],
  ])('of %i seconds takes %i messages of the queue, and the sweep does not touch it', async (seconds, messages) => {
    engine.answer = async () => answered(503, { retryAfterSeconds: seconds });
    await engine.accept(number, 1);
    await engine.run({ for: 0 });
    await engine.sweep();
    expect(engine.queued.map(({ due }) => due - engine.clock.now)).toEqual(Array(messages).fill(seconds * 1_000));
    expect((await only()).next_attempt_at).toBe(engine.clock.now + seconds * 1_000);
  });
});

describe('a target without a URL', () => {
  it('ends every delivery to it, even if it never had a URL', async () => {
    const { id } = await engine.newNumber({});
    await engine.handle({ ...engine.notification(number), subscriber: id });
    expect(engine.posts).toEqual([]);
    expect((await engine.deliveriesOf({ ...number, id })).map(({ state }) => state)).toEqual(['discarded']);
  });

  it('creates no delivery for a retry whose delivery was deleted', async () => {
    await engine.targets.setUrls(number.id, { webhook: null });
    await engine.handle({ ...engine.notification(number), task: 'retry', attempt_count: 1 } as Retry);
    expect(await engine.deliveriesOf(number)).toEqual([]);
  });
});

describe('a number that is deleted during an attempt', () => {
  it('has the failure recorded, and its delivery is discarded in the end', async () => {
    // This attempt would open the breaker.
    for (let count = 0; count < 9; count++) {
      await countFailure();
    }
    engine.answer = async () => {
      await deleteNumber();
      return answered(500);
    };
    await engine.accept(number, 1);
    await engine.run({ for: 0 });
    expect((await only()).attempts).toEqual([expect.objectContaining({ status: 500 })]);
    await engine.run();
    expect(await only()).toMatchObject({ state: 'discarded', attempt_count: 1 });
  });
});

it('failures that come together are counted in one write, which opens the circuit breaker at the tenth', async () => {
  engine.answer = async () => answered(503);
  await engine.handleBatch(Array.from({ length: 12 }, () => engine.notification(number)));
  expect(await engine.states(number)).toEqual({ waiting: 12 });
  expect(await engine.breaker(number)).toMatchObject({ failures: 12, opened_at: engine.clock.now });
  await engine.run({ for: 20_000 });
  expect(await engine.states(number)).toEqual({ held: 12 });
});

it('a count that the table does not take is skipped', async () => {
  engine.answer = async () => answered(503);
  const busy = Object.assign(new Error('too many'), { name: 'ThrottlingException' });
  const countFailures = () => Promise.reject(busy);
  const message = engine.notification(number);
  await engine.handle(message, engine.context({ breakers: { ...engine.breakers, countFailures } }));
  expect(await engine.states(number)).toEqual({ waiting: 1 });
  expect(logged).toMatchObject([{ level: 'warn', event: 'target.not-updated', error: 'ThrottlingException' }]);
});

it('a success that took long resets failures that others have counted meanwhile', async () => {
  engine.answer = async () => {
    await countFailure();
    engine.clock.now += 5_000;
    return answered(200);
  };
  await engine.handle(engine.notification(number));
  expect(await engine.breaker(number)).toEqual({ failures: 0 });
});

it('failures open the breaker although another batch counts at the same moment', async () => {
  engine.answer = async () => answered(503);
  const open: typeof engine.breakers.open = async (...args) => {
    if ((await engine.breaker(number))?.failures === 0) await countFailure();
    return engine.breakers.open(...args);
  };
  const messages = Array.from({ length: 10 }, () => engine.notification(number));
  await engine.handleBatch(messages, engine.context({ breakers: { ...engine.breakers, open } }));
  expect(await engine.breaker(number)).toMatchObject({ failures: 11, opened_at: engine.clock.now });
});

describe('the circuit breaker is not written', () => {
  it('for failures when another process has opened it during the attempts', async () => {
    engine.answer = async () => {
      await engine.breakTarget(number.id, 60_000);
      return timedOut;
    };
    await engine.handleBatch(Array.from({ length: 3 }, () => engine.notification(number)));
    expect(await engine.states(number)).toEqual({ waiting: 3 });
    expect(await engine.breaker(number)).toMatchObject({ failures: 1, opened_at: engine.clock.now });
  });

  it('for a success whose batch has read failures that another one has reset', async () => {
    await countFailure();
    const settings = await engine.targets.read(number.id);
    await engine.breakers.reset(number.id, 'webhook');
    let resets = 0;
    const reset = async () => void resets++;
    const context = { ...knowing(settings), breakers: { ...engine.breakers, reset } };
    await engine.handle(engine.notification(number), context);
    expect(await engine.states(number)).toEqual({ delivered: 1 });
    expect(resets).toBe(0);
  });

  it('for a success of an attempt that began before it opened', async () => {
    await countFailure();
    engine.answer = async () => {
      await engine.breakTarget(number.id, 60_000);
      return answered(200);
    };
    await engine.handle(engine.notification(number));
    expect(await engine.states(number)).toEqual({ delivered: 1 });
    expect(await engine.breaker(number)).toHaveProperty('opened_at');
    expect(engine.queued).toEqual([]);
  });

  it('for a success of a drain whose process does not know of the failures that others have counted', async () => {
    await engine.breakTarget(number.id, 0);
    await engine.breakers.startDraining(number.id, 'webhook', newId(), engine.clock.now);
    engine.answer = async () => {
      await countFailure();
      return answered(200);
    };
    await engine.handle(engine.notification(number));
    expect(await engine.states(number)).toEqual({ delivered: 1 });
    expect(await engine.breaker(number)).toMatchObject({ failures: 1 });
  });

  it('for failures of a batch in which the target responds, too', async () => {
    engine.answer = async ({ id }) => answered(id === good.id ? 200 : 503);
    const good = engine.notification(number);
    const bad = Array.from({ length: 5 }, () => engine.notification(number));
    await engine.handleBatch([...bad, good]);
    expect(await engine.states(number)).toEqual({ waiting: 5, delivered: 1 });
    expect(await engine.breaker(number)).toEqual({ failures: 0 });
  });
});

it('each target of a batch has its own outcome: one that responds resets no failures of another', async () => {
  const both = await engine.newNumber({
    webhook: 'https://a.example.com',
    secondary_webhook: 'https://b.example.com',
  });
  engine.answer = async ({ url }) => answered(url.includes('a.example') ? 503 : 200);
  const to = (target: 'webhook' | 'secondary_webhook') => engine.notification(both, 'text', target);
  await engine.handleBatch([to('secondary_webhook'), to('webhook'), to('webhook')]);
  expect(await engine.breaker(both, 'webhook')).toMatchObject({ failures: 2 });
  expect(await engine.breaker(both, 'secondary_webhook')).toEqual({ failures: 0 });
});

describe('what a process remembers', () => {
  it('are secrets, but it signs with new ones right after a rotation', async () => {
    engine.clock.now = Date.now();
    const { secrets } = engine;
    const context = engine.context({ secretsFor: rememberSecrets(secrets.get, () => engine.clock.now) });
    const deliverNew = () => engine.handle(engine.notification(number, '{}'), context);
    await deliverNew();
    const { secret } = await rotateSecret(number, { secrets, now: () => engine.clock.now });
    expect(isSigned(engine.posts.at(-1), secret)).toBe(false);
    await deliverNew();
    expect([secret, number.secret].map((each) => isSigned(engine.posts.at(-1), each))).toEqual([true, true]);
  });
});

describe('the settings of a number', () => {
  it('show without another read that no URL was removed', async () => {
    engine.answer = async () => answered(500);
    await engine.accept(number, 1);
    await engine.run({ for: 0 });
    const get = () => Promise.reject(new Error('The delivery was read'));
    await engine.run({ for: 10_000, context: engine.context({ deliveries: { ...engine.deliveries, get } }) });
    expect(engine.posts).toHaveLength(2);
  });
});

describe('Retry-After', () => {
  it.each([
    [90, 90],
    [1, 10],
    [86_400, 3_600],
  ])('of %i seconds leads to the next attempt after %i seconds', async (retryAfterSeconds, seconds) => {
    engine.answer = async () => answered(503, { retryAfterSeconds });
    await engine.accept(number, 1);
    await engine.run({ for: 0 });
    expect((await only()).next_attempt_at).toBe(engine.clock.now + seconds * 1000);
  });
});

describe('repeated messages', () => {
  it('that two processes handle at once make one POST', async () => {
    engine.answer = () => pause(50, answered(200));
    const message = engine.notification(number);
    await Promise.all([engine.handle(message), engine.handle(message)]);
    expect(engine.posts).toHaveLength(1);
    // The other one looks again, and finds that all is done.
    expect(engine.queued.map(({ due }) => due - engine.clock.now)).toEqual([1_000]);
    await engine.run();
    expect(engine.posts).toHaveLength(1);
    expect(await only()).toMatchObject({ state: 'delivered', attempt_count: 1 });
  });

  it('that arrive late do nothing, whatever the state of the delivery', async () => {
    const message = engine.notification(number);
    engine.answer = async () => answered(500);
    await engine.handle(message);
    await engine.handle(message);
    const [retry] = engine.queued;
    await engine.run({ for: 10_000 });
    engine.answer = async () => answered(200);
    await engine.run();
    expect(engine.posts).toHaveLength(3);
    if (retry) await engine.handle(retry.message);
    await engine.handle(message);
    expect(engine.posts).toHaveLength(3);
    expect(await only()).toMatchObject({ state: 'delivered', attempt_count: 3 });
  });

  it('are not dropped while the attempt before them is recorded after its lease', async () => {
    engine.answer = async () => answered(503);
    const { deliveries } = engine;
    const record: typeof deliveries.record = async (...attempt) => {
      engine.clock.now += 20_000;
      for (const { message } of engine.queued.splice(0)) await engine.handle(message);
      return deliveries.record(...attempt);
    };
    const slow = engine.context({ deliveries: { ...deliveries, record } });
    await engine.handle(engine.notification(number), slow);
    engine.answer = async () => answered(200);
    await engine.run();
    expect(await engine.states(number)).toEqual({ delivered: 1 });
  });

  it('repeat the attempt of a crashed process with the same id and bytes when its lease has expired', async () => {
    const message = engine.notification(number, 'text');
    const gone = engine.handle(message, engine.context({ sender: { post: () => new Promise(() => {}), close() {} } }));
    expect(await Promise.race([gone, pause(50, 'still in progress')])).toBe('still in progress');
    await engine.handle(message);
    expect(engine.posts).toEqual([]);
    const begin = engine.clock.now;
    await engine.run();
    expect(engine.posts).toEqual([expect.objectContaining({ id: message.id, body: 'text' })]);
    // Ten seconds for the attempt and five for what is written before and after it.
    expect(engine.clock.now - begin).toBe(15_000);
    expect(await only()).toMatchObject({ state: 'delivered', attempt_count: 1 });
  });

  it('repeat a later attempt of a crashed process, too', async () => {
    engine.answer = async () => answered(500);
    await engine.accept(number, 1);
    await engine.run({ for: 9_000 });
    const retry = engine.queued.shift()?.message as Retry;
    void engine.handle(retry, engine.context({ sender: { post: () => new Promise(() => {}), close() {} } }));
    await expect.poll(async () => (await only()).state).toBe('sending');
    engine.answer = async () => answered(200);
    await engine.handle(retry);
    await engine.run();
    expect(await only()).toMatchObject({ state: 'delivered', attempt_count: 2 });
  });

  it('that start a retry wait until the previous attempt is recorded', async () => {
    engine.answer = async () => answered(500);
    const record = Promise.withResolvers<void>();
    const slow: Engine['deliveries'] = {
      ...engine.deliveries,
      record: async (...result) => {
        await record.promise;
        return engine.deliveries.record(...result);
      },
    };
    const first = engine.handle(engine.notification(number), engine.context({ deliveries: slow }));
    await expect.poll(() => engine.queued.length).toBe(1);
    await engine.handle(engine.queued.splice(0)[0]?.message as Retry);
    expect(engine.queued).toHaveLength(1);
    record.resolve();
    await first;
    engine.answer = async () => answered(200);
    await engine.run();
    expect(await only()).toMatchObject({ state: 'delivered', attempt_count: 2 });
  });

  it('of an attempt that was made twice do not shorten the longer of its two waits', async () => {
    engine.answer = async () => answered(500);
    const message = engine.notification(number);
    const dies = { ...engine.deliveries, record: () => Promise.reject(new Error('killed')) };
    await expect(engine.handle(message, engine.context({ deliveries: dies }))).rejects.toThrow('killed');
    engine.clock.now += 16_000;
    engine.answer = async () => answered(429, { retryAfterSeconds: 3_000 });
    const second = engine.clock.now;
    await engine.handle(message);
    // The message of the first attempt is due now. It comes back every 15 minutes, as long as the queue can delay.
    await engine.run({ for: 2_990_000 });
    expect(engine.posts).toHaveLength(2);
    engine.answer = async () => answered(200);
    await engine.run({ for: 10_000 });
    expect(engine.posts).toHaveLength(3);
    expect(engine.posts[2]?.at).toBe(second + 3_000_000);
    await engine.run();
    expect(await only()).toMatchObject({ state: 'delivered', attempt_count: 2 });
  });

  it('that arrive early by the clock of a delivery process wait for the rest of the delay', async () => {
    engine.answer = async () => answered(500);
    await engine.handle(engine.notification(number));
    const slowClock = engine.context({ now: () => engine.clock.now - 8_000 });
    const due = engine.queued[0]?.due ?? 0;
    await engine.run({ for: due - engine.clock.now, context: slowClock });
    expect(engine.posts).toHaveLength(1);
    expect(engine.queued).toEqual([{ message: expect.objectContaining({ task: 'retry' }), due: due + 8_000 }]);
    engine.answer = async () => answered(200);
    await engine.run();
    expect(await only()).toMatchObject({ state: 'delivered', attempt_count: 2 });
  });

  it('whose lease has expired by another clock do not change what the other process recorded', async () => {
    const answer = Promise.withResolvers<void>();
    engine.answer = async () => {
      if (engine.posts.length === 1) await answer.promise;
      return engine.posts.length === 1 ? answered(500) : answered(200);
    };
    const message = engine.notification(number);
    const slow = engine.handle(message);
    await expect.poll(() => engine.posts.length).toBe(1);
    await engine.handle(message, engine.context({ now: () => engine.clock.now + 3_600_000 }));
    answer.resolve();
    await slow;
    expect(new Set(engine.posts.map(({ id }) => id)).size).toBe(1);
    expect(await only()).toMatchObject({ state: 'delivered', attempt_count: 1 });
  });
});

describe('the target of a delivery', () => {
  it('is read again for each attempt', async () => {
    engine.answer = async () => answered(500);
    await engine.accept(number, 1);
    await engine.run({ for: 0 });
    await engine.targets.setUrls(number.id, { webhook: 'https://example.com/new' });
    engine.answer = async () => answered(200);
    await engine.run();
    expect(engine.posts.map(({ url }) => url)).toEqual(['https://example.com/hook', 'https://example.com/new']);
  });

  it('that is removed ends the delivery', async () => {
    engine.answer = async () => answered(500);
    await engine.accept(number, 1);
    await engine.run({ for: 0 });
    await engine.targets.setUrls(number.id, { webhook: null });
    await engine.run();
    expect(engine.posts).toHaveLength(1);
    expect(await only()).toMatchObject({ state: 'discarded', attempt_count: 1 });
  });

  describe('that was removed and replaced', () => {
    const moveWebhook = async () => {
      await engine.targets.setUrls(number.id, { webhook: null });
      await engine.targets.setUrls(number.id, { webhook: 'https://example.com/new' });
      engine.posts.length = 0;
      engine.answer = async () => answered(200);
    };

    it('ends waiting deliveries and those that were never attempted', async () => {
      engine.answer = async () => answered(500);
      await engine.accept(number, 1);
      await engine.run({ for: 0 });
      await engine.accept(number, 1);
      await moveWebhook();
      await engine.run();
      expect(engine.posts).toEqual([]);
      const deliveries = await engine.deliveriesOf(number);
      expect(deliveries.map(({ state, attempt_count }) => [state, attempt_count]).sort()).toEqual([
        ['discarded', 0],
        ['discarded', 1],
      ]);
    });

    it('ends held deliveries, even if the breaker of the new target is open', async () => {
      engine.answer = async () => answered(503);
      await engine.accept(number, 12);
      await engine.run();
      await moveWebhook();
      engine.answer = async () => answered(503);
      const [later] = await engine.accept(number, 1);
      await engine.run();
      // In one of the two orders of probes it comes behind all the others.
      for (let probes = 0; probes < 2; probes++) {
        engine.clock.now += 900_000;
        await engine.sweep();
        await engine.run();
      }
      expect(await engine.states(number)).toEqual({ discarded: 12, held: 1 });
      expect(engine.posts.map(({ id }) => id)).toEqual([later, later]);
    });

    it('keeps deliveries to the new target that an ingestion with a slow clock accepted', async () => {
      engine.clock.now += 10_000;
      await moveWebhook();
      engine.clock.now -= 10_000;
      engine.answer = async () => answered(500);
      const [later] = await engine.accept(number, 1);
      await engine.run({ for: 0 });
      engine.answer = async () => answered(200);
      await engine.run();
      expect(engine.posts.map((post) => post.id)).toEqual([later, later]);
      expect(await only()).toMatchObject({ state: 'delivered' });
    });

    it('changes nothing for a retry whose delivery was deleted', async () => {
      await moveWebhook();
      await engine.handle({ ...engine.notification(number), task: 'retry', attempt_count: 1 } as Retry);
      expect([engine.posts, engine.queued]).toEqual([[], []]);
    });

    it('keeps deliveries to the new target, and replays', async () => {
      const [id] = await engine.accept(number, 1);
      engine.answer = async () => answered(500);
      await engine.run({ for: 0 });
      await moveWebhook();
      await engine.run();
      const [later] = await engine.accept(number, 1);
      await engine.run();
      expect(engine.posts.map((post) => post.id)).toEqual([later]);
      await engine.handle({
        task: 'replay',
        subscriber: number.id,
        target: 'webhook',
        id: String(id),
        replay: newId(),
      });
      expect(engine.posts.map((post) => post.id)).toEqual([later, id]);
    });
  });

  it('that is removed before the first attempt gets no POST, and the log shows a discarded delivery', async () => {
    const message = engine.notification(number, 'text');
    await engine.targets.setUrls(number.id, { webhook: null });
    await engine.handle(message);
    await engine.handle(message);
    expect(engine.posts).toEqual([]);
    const { id, created_at } = message;
    expect(await only()).toMatchObject({ id, created_at, state: 'discarded', payload: { text: 'text' }, attempts: [] });
  });

  it('gets nothing more if its number is deactivated: queued, waiting and held deliveries are discarded', async () => {
    engine.answer = async () => answered(503);
    await engine.accept(number, 12);
    await engine.run({ for: 0 });
    expect(await engine.states(number)).toEqual({ waiting: 10, held: 2 });
    engine.posts.length = 0;
    engine.answer = async () => answered(200);
    await engine.accept(number, 1);
    await engine.numbers.set(number.id, { active: false });
    await startDrain(number.id, 'webhook', engine.context());
    const [{ id = '' } = {}] = await engine.deliveriesOf(number);
    await engine.queue.send([
      { message: { task: 'replay', subscriber: number.id, target: 'webhook', id, replay: newId() } },
    ]);
    await engine.run();
    expect(engine.posts).toEqual([]);
    expect(await engine.states(number)).toEqual({ discarded: 13 });
  });

  it('that is removed during an attempt in progress ends the delivery after the attempt', async () => {
    const message = engine.notification(number);
    void engine.handle(message, engine.context({ sender: { post: () => new Promise(() => {}), close() {} } }));
    await expect.poll(async () => (await engine.deliveriesOf(number))[0]?.state).toBe('sending');
    await engine.targets.setUrls(number.id, { webhook: null });
    await engine.handle(message);
    await engine.run();
    expect(await only()).toMatchObject({ state: 'discarded' });
  });

  it('of a deleted number ends the delivery, without an endless loop', async () => {
    engine.answer = async () => answered(500);
    await engine.accept(number, 1);
    await engine.run({ for: 0 });
    await deleteNumber();
    await engine.run();
    await engine.accept(number, 1);
    await engine.run();
    expect(engine.posts).toHaveLength(1);
    expect(await only()).toMatchObject({ state: 'discarded' });
    expect(engine.queued).toEqual([]);
  });

  it('that fails is the only one to be tried again', async () => {
    const both = await engine.newNumber({
      webhook: 'https://a.example.com',
      secondary_webhook: 'https://b.example.com',
    });
    engine.answer = async ({ url }) => answered(url.includes('a.example') && engine.posts.length < 5 ? 500 : 200);
    await engine.accept(both, 1, 'webhook');
    await engine.accept(both, 1, 'secondary_webhook');
    await engine.run();
    expect(engine.posts.map(({ url }) => new URL(url).host)).toEqual([
      'a.example.com',
      'b.example.com',
      'a.example.com',
      'a.example.com',
      'a.example.com',
    ]);
  });

  it('is never reached if its name does not resolve, or resolves to an internal address', async () => {
    const inside = await engine.newNumber({ webhook: 'https://inside.example.com/' });
    const addresses = new Map([['inside.example.com', ['93.184.216.34', '10.0.0.1']]]);
    const resolve = async (name: string) => addresses.get(name) ?? Promise.reject(new Error('ENOTFOUND'));
    const sender = createSender({ allowList: nothing, resolve, ...sendingService });
    await engine.handle(engine.notification(number), engine.context({ sender }));
    await engine.handle(engine.notification(inside), engine.context({ sender }));
    expect((await only()).attempts).toEqual([expect.objectContaining({ error: 'dns' })]);
    const [delivery] = await engine.deliveriesOf(inside);
    expect(delivery?.attempts).toEqual([expect.objectContaining({ error: 'forbidden-address' })]);
    sender.close();
  });

  it('is checked at every attempt: a name that was public and is now internal is not reached', async () => {
    let address = '127.0.0.1';
    const sender = createSender({ allowList: loopback, caPem, resolve: async () => [address], ...sendingService });
    const post = () => engine.handle(engine.notification(number), engine.context({ sender }));
    await post();
    address = '169.254.169.254';
    await post();
    const errors = (await engine.deliveriesOf(number)).map(({ attempts }) => attempts[0]?.error);
    expect(errors.sort()).toEqual(['forbidden-address', 'refused']);
    sender.close();
  });
});

describe('the breaker', () => {
  const failing = async () => answered(503);

  it('opens at the tenth failure in a row, and then nothing is sent and no attempt is used up', async () => {
    engine.answer = failing;
    await engine.accept(number, 30);
    await engine.run({ for: 1_000 });
    expect(engine.posts).toHaveLength(10);
    expect(await engine.states(number)).toEqual({ waiting: 10, held: 20 });
    // The retries of the ten come due while it is open, except for the one that is the probe.
    await engine.run();
    expect(await engine.states(number)).toEqual({ held: 30 });
    expect(engine.posts.length).toBeLessThanOrEqual(11);
    const counts = (await engine.deliveriesOf(number)).map(({ attempt_count }) => attempt_count);
    expect(Math.max(...counts)).toBe(1);
    expect(logged.filter(({ event }) => event === 'target.failing')).toEqual([
      { level: 'warn', event: 'target.failing', subscriber: number.id, target: 'webhook' },
    ]);
  });

  it('loses no delivery that another process holds for a copy of the message before the probe is cut off', async () => {
    engine.answer = failing;
    await engine.accept(number, 1);
    await engine.run({ for: 10_000 - 1 });
    const [retry] = engine.queued.splice(0);
    if (!retry) throw new Error('There is no message');
    engine.clock.now = retry.due;
    await engine.breakTarget(number.id, 0);
    const dying = engine.context({
      deliveries: {
        ...engine.deliveries,
        async claimProbe(...claim) {
          await engine.handle(retry.message);
          expect(await engine.states(number)).toEqual({ held: 1 });
          return engine.deliveries.claimProbe(...claim);
        },
      },
      sender: { post: () => new Promise(() => {}), close() {} },
    });
    void engine.handle(retry.message, dying);
    await expect.poll(() => engine.states(number)).toEqual({ sending: 1 });
    engine.answer = async () => answered(200);
    await engine.run();
    await sweepTo(engine.clock.now + 900_000);
    await engine.run();
    expect(await engine.states(number)).toEqual({ delivered: 1 });
  });

  it('is not probed by the message that follows a probe', async () => {
    engine.answer = failing;
    await engine.accept(number, 1);
    await engine.run({ for: 0 });
    const [retry] = engine.queued.splice(0);
    if (!retry) throw new Error('There is no message');
    engine.clock.now = retry.due;
    await engine.breakTarget(number.id, 0);
    await engine.handle(retry.message);
    expect(engine.queued).toEqual([
      { message: { ...retry.message, after_probe: true }, due: engine.clock.now + 15_000 },
    ]);
    // In a busy queue it may come when the next probe is due.
    const { length } = engine.posts;
    engine.clock.now = (await engine.breaker(number))?.probe_at ?? 0;
    await engine.run();
    expect(engine.posts).toHaveLength(length);
    expect(await engine.states(number)).toEqual({ held: 1 });
  });

  it('is probed at the delays of the schedule', async () => {
    engine.answer = failing;
    await engine.accept(number, 12);
    await engine.run({ for: 0 });
    const gaps = [];
    for (let probes = 0; probes < 5; probes++) {
      const probeAt = (await engine.breaker(number))?.probe_at ?? 0;
      gaps.push((probeAt - engine.clock.now) / 1_000);
      engine.clock.now = probeAt;
      await engine.handle(engine.notification(number));
    }
    expect(gaps).toEqual([10, 30, 120, 600, 900]);
  });

  it('of a new URL does not open because of attempts at the previous URL', async () => {
    const hanging = Promise.withResolvers<void>();
    engine.answer = async ({ url }) => {
      if (url !== number.webhook) return answered(200);
      await hanging.promise;
      return timedOut;
    };
    const old = Array.from({ length: 12 }, () => engine.handle(engine.notification(number)));
    await expect.poll(() => engine.posts.length).toBe(12);
    await engine.targets.setUrls(number.id, { webhook: 'https://example.com/new' });
    const moved = await webhook();
    hanging.resolve();
    await Promise.all(old);
    // None of them is counted.
    expect(await webhook()).toEqual(moved);
    await engine.handle(engine.notification(number));
    expect(await engine.states(number)).toEqual({ waiting: 12, delivered: 1 });
    await engine.run();
    expect(await engine.states(number)).toEqual({ delivered: 13 });
    expect(await engine.breaker(number)).toEqual({ failures: 0 });
  });

  it('of a new URL is not opened by an attempt at the previous URL, however often the new one has failed', async () => {
    const url = 'https://example.com/new';
    engine.answer = async () => {
      await engine.targets.setUrls(number.id, { webhook: url });
      await engine.breakers.countFailures(number.id, 'webhook', { url, failed: Array.from({ length: 10 }, newId) });
      return answered(503);
    };
    await engine.handle(engine.notification(number));
    expect(await engine.states(number)).toEqual({ waiting: 1 });
    const breaker = await engine.breaker(number);
    expect(breaker).toMatchObject({ failures: 10 });
    expect(breaker).not.toHaveProperty('opened_at');
  });

  it('of a removed URL counts none of the attempts that fail after that', async () => {
    engine.answer = async () => {
      await engine.targets.setUrls(number.id, { webhook: null });
      return timedOut;
    };
    await engine.handle(engine.notification(number));
    expect(await engine.breaker(number)).toEqual({ failures: 0 });
    await engine.run();
    expect(await only()).toMatchObject({ state: 'discarded', attempt_count: 1 });
  });

  it('of a new URL, which drains, counts no probe that fails at the previous URL', async () => {
    engine.answer = failing;
    await engine.accept(number, 12);
    await engine.run({ for: 0 });
    engine.clock.now = (await engine.breaker(number))?.probe_at ?? 0;
    const probe = engine.notification(number);
    engine.answer = async () => {
      await engine.targets.setUrls(number.id, { webhook: 'https://example.com/new' });
      await startDrain(number.id, 'webhook', engine.context());
      return answered(503);
    };
    await engine.handle(probe);
    expect(await engine.breaker(number)).toMatchObject({ failures: 0, drain: {} });
    engine.answer = async () => answered(200);
    await engine.run();
    expect(await engine.states(number)).toEqual({ delivered: 13 });
  });

  it('is probed with one delivery at a time, the oldest and the newest in turn', async () => {
    engine.answer = failing;
    const ids = (await engine.accept(number, 20)).sort();
    await engine.run({ for: 100 });
    engine.posts.length = 0;
    for (let minute = 0; minute < 60; minute++) {
      await engine.run({ for: 60_000 });
      await engine.sweep();
    }
    await engine.run({ for: 0 });
    // 10 s, 30 s, 2 min, 10 min, and every 15 minutes from then on.
    expect(engine.posts.length).toBeGreaterThanOrEqual(5);
    expect(engine.posts.length).toBeLessThanOrEqual(8);
    expect(new Set(engine.posts.slice(2).map(({ id }) => id))).toEqual(new Set([ids[0], ids.at(-1)]));
    expect(await engine.states(number)).toEqual({ held: 20 });
  });

  it('closes after a successful probe, and held deliveries are sent, oldest first and at a limited rate', async () => {
    engine.answer = failing;
    const ids = await engine.accept(number, 250);
    await engine.run();
    engine.posts.length = 0;
    engine.answer = async () => answered(200);
    engine.clock.now += 120_000;
    await engine.sweep();
    await engine.run();
    expect(await engine.states(number)).toEqual({ delivered: 250 });
    expect(engine.posts).toHaveLength(250);
    expect(engine.posts.map(({ id }) => id).sort()).toEqual([...ids].sort());
    const [probe, ...others] = engine.posts.map(({ id }) => id);
    expect(others).toEqual(ids.filter((id) => id !== probe).sort());
    const perSecond = Map.groupBy(engine.posts, ({ at }) => Math.floor(at / 1000));
    expect(Math.max(...[...perSecond.values()].map(({ length }) => length))).toBeLessThanOrEqual(101);
    expect(await engine.breaker(number)).toEqual({ failures: 0 });
  });

  it('opens again if the target fails meanwhile, and loses nothing', async () => {
    engine.answer = failing;
    await engine.accept(number, 150);
    await engine.run();
    engine.posts.length = 0;
    engine.answer = async () => answered(engine.posts.length <= 30 ? 200 : 503);
    engine.clock.now += 120_000;
    await engine.sweep();
    await engine.run();
    const { delivered, held } = await engine.states(number);
    expect([delivered, held]).toEqual([30, 120]);
    engine.answer = async () => answered(200);
    engine.clock.now += 900_000;
    await engine.sweep();
    await engine.run();
    expect(await engine.states(number)).toEqual({ delivered: 150 });
  });

  it('counts consecutive failures only, however many there are between successes', async () => {
    engine.answer = async () => answered(engine.posts.length % 3 === 0 ? 200 : 503);
    await engine.accept(number, 60);
    await engine.run({ for: 500 });
    expect(engine.posts).toHaveLength(60);
    expect(await engine.states(number)).toEqual({ delivered: 20, waiting: 40 });
  });

  it('counts consecutive failures while a backlog drains, too', async () => {
    engine.answer = failing;
    await engine.accept(number, 60);
    await engine.run();
    engine.posts.length = 0;
    engine.answer = async () => answered(engine.posts.length % 4 === 0 ? 503 : 200);
    engine.clock.now += 120_000;
    await engine.sweep();
    await engine.run();
    expect(await engine.states(number)).toEqual({ delivered: 60 });
    expect(logged.filter(({ event }) => event === 'target.failing')).toHaveLength(1);
  });

  it('stays closed if only one delivery always fails', async () => {
    engine.answer = failing;
    await engine.accept(number, 1);
    await engine.run();
    for (let delivery = await only(); delivery.state === 'waiting'; delivery = await only()) {
      await sweepTo(delivery.next_attempt_at ?? 0);
    }
    expect(await only()).toMatchObject({ state: 'exhausted' });
    expect(logged.filter(({ event }) => event === 'target.failing')).toEqual([]);
  });

  it('belongs to one target', async () => {
    const both = await engine.newNumber({
      webhook: 'https://a.example.com',
      secondary_webhook: 'https://b.example.com',
    });
    engine.answer = async ({ url }) => answered(url.includes('a.example') ? 503 : 200);
    await engine.accept(both, 20, 'webhook');
    await engine.accept(both, 20, 'secondary_webhook');
    await engine.run({ for: 1_000 });
    expect(await engine.states(both)).toEqual({ delivered: 20, waiting: 10, held: 10 });
  });

  it('holds a delivery whose attempt was begun by a crashed process', async () => {
    const message = engine.notification(number);
    void engine.handle(message, engine.context({ sender: { post: () => new Promise(() => {}), close() {} } }));
    await expect.poll(async () => (await engine.deliveriesOf(number))[0]?.state).toBe('sending');
    engine.answer = failing;
    await engine.accept(number, 15);
    await engine.run({ for: 1_000 });
    await engine.handle(message);
    await engine.run();
    expect(await engine.states(number)).toEqual({ held: 16 });
    engine.answer = async () => answered(200);
    engine.clock.now += 120_000;
    await engine.sweep();
    await engine.run();
    expect(await engine.states(number)).toEqual({ delivered: 16 });
  });
});

describe('a target that has failed for long', () => {
  it('is paused, which is logged, and is sent deliveries again when it is resumed', async () => {
    engine.answer = async () => timedOut;
    await engine.accept(number, 15);
    await engine.run();
    engine.clock.now += 28 * 3_600_000 + 60_000;
    await engine.sweep();
    await engine.sweep();
    expect(logged.filter(({ event }) => event === 'target.paused')).toEqual([
      { level: 'error', event: 'target.paused', subscriber: number.id, target: 'webhook' },
    ]);
    engine.posts.length = 0;
    await engine.accept(number, 5);
    engine.clock.now += 86_400_000;
    await engine.sweep();
    await engine.run();
    expect(engine.posts).toEqual([]);
    expect(await engine.states(number)).toEqual({ held: 20 });

    engine.answer = async () => answered(200);
    const token = newId();
    await engine.breakers.startDraining(number.id, 'webhook', token, engine.clock.now);
    await engine.handle({ task: 'drain', subscriber: number.id, target: 'webhook', token });
    await engine.run();
    expect(await engine.states(number)).toEqual({ delivered: 20 });
  });
});

describe('a replay', () => {
  const replay = (id: string, replayId = newId()) =>
    engine.handle({ task: 'replay', subscriber: number.id, target: 'webhook', id, replay: replayId });

  it('replaces the automatic attempt that was due', async () => {
    engine.answer = async () => answered(500);
    const [id = ''] = await engine.accept(number, 1);
    await engine.run({ for: 0 });
    const [old] = engine.queued;
    await replay(id);
    expect(await only()).toMatchObject({ state: 'waiting', attempt_count: 2 });
    if (old) await engine.handle(old.message);
    expect(engine.posts).toHaveLength(2);
    engine.answer = async () => answered(200);
    await engine.run();
    expect(engine.posts).toHaveLength(3);
    expect((await only()).attempts.map(({ replay }) => replay ?? false)).toEqual([false, true, false]);
  });

  it('and every retry name the sent Flow that the message completes', async () => {
    engine.answer = async ({ at }) => answered(at === started ? 500 : 200);
    const started = engine.clock.now;
    const sent_flow = { flow: newId(), message: 'wamid.1', contact: '16505551234' };
    const message = parseMessage(JSON.stringify({ ...engine.notification(number), sent_flow })) as QueueMessage;
    await engine.queue.send([{ message }]);
    await engine.run();
    const { id, ...delivery } = await only();
    await replay(id);
    expect(delivery.sent_flow).toEqual(sent_flow);
    const headers = { 'x-flow-id': sent_flow.flow, 'x-message-id': 'wamid.1', 'x-contact': '16505551234' };
    expect(engine.posts.map((post) => post.headers)).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining(headers)),
    );
  });

  it('is made once for each replay request, so twice for two', async () => {
    const [id = ''] = await engine.accept(number, 1);
    await engine.run();
    const [first, second] = [newId(), newId()];
    for (const replayId of [first, first, second, second]) await replay(id, replayId);
    expect(engine.posts).toHaveLength(3);
    expect(new Set(engine.posts.map((post) => post.id))).toEqual(new Set([id]));
  });

  it.each([
    ['delivered', 200],
    ['exhausted', 500],
  ])('that fails leaves a delivery that was %s unchanged, without further attempts', async (state, status) => {
    engine.answer = async () => answered(status);
    const context = engine.context({ schedule: [] });
    await engine.handle(engine.notification(number), context);
    const { id, attempt_count } = await only();
    engine.answer = async () => answered(500);
    await replay(id);
    await engine.run();
    expect(await only()).toMatchObject({ state, attempt_count });
    expect(engine.posts).toHaveLength(2);
  });

  it('that succeeds delivers an exhausted delivery', async () => {
    engine.answer = async () => answered(500);
    await engine.handle(engine.notification(number), engine.context({ schedule: [] }));
    engine.answer = async () => answered(200);
    await replay((await only()).id);
    expect(await only()).toMatchObject({ state: 'delivered' });
  });

  it('that fails leaves a discarded delivery exhausted', async () => {
    const message = engine.notification(number);
    await engine.deliveries.discardFirst(message, engine.clock.now);
    engine.answer = async () => answered(500);
    await replay(message.id);
    expect(await only()).toMatchObject({ state: 'exhausted', attempt_count: 0 });
    expect(engine.queued).toEqual([]);
  });

  it('does not affect the circuit breaker of its target', async () => {
    const [id = ''] = await engine.accept(number, 1);
    await engine.run();
    engine.answer = async () => answered(500);
    await replay(id);
    expect(await engine.breaker(number)).toEqual({ failures: 0 });
    await engine.accept(number, 1);
    await engine.run({ for: 0 });
    engine.answer = async () => answered(200);
    await replay(id);
    expect(await engine.breaker(number)).toMatchObject({ failures: 1 });
  });

  it('of a held delivery that fails after the breaker has closed leaves the delivery to the drain', async () => {
    engine.answer = async () => answered(503);
    await engine.accept(number, 12);
    await engine.run();
    const { id = '' } = (await engine.deliveriesOf(number))[0] ?? {};
    engine.answer = async () => {
      await startDrain(number.id, 'webhook', engine.context());
      return answered(500);
    };
    await replay(id);
    engine.answer = async () => answered(200);
    await engine.run();
    expect(await engine.states(number)).toEqual({ delivered: 12 });
  });

  it('of a held delivery is recorded even if its number is deleted meanwhile', async () => {
    engine.answer = async () => answered(503);
    await engine.accept(number, 12);
    await engine.run();
    const { id = '' } = (await engine.deliveriesOf(number))[0] ?? {};
    engine.answer = async () => {
      await deleteNumber();
      return answered(500);
    };
    await replay(id);
    expect((await engine.deliveries.get(number.id, id, ['webhook']))?.attempts.at(-1)).toMatchObject({
      status: 500,
      replay: true,
    });
  });

  it('that a crashed process began is carried out, and a held delivery stays held if it fails', async () => {
    engine.answer = async () => answered(503);
    await engine.accept(number, 12);
    await engine.run();
    const { id = '' } = (await engine.deliveriesOf(number))[0] ?? {};
    const replayId = newId();
    const message = { task: 'replay', subscriber: number.id, target: 'webhook', id, replay: replayId } as const;
    void engine.handle(message, engine.context({ sender: { post: () => new Promise(() => {}), close() {} } }));
    await expect.poll(async () => (await engine.deliveries.get(number.id, id, ['webhook']))?.state).toBe('sending');
    engine.posts.length = 0;
    await engine.handle(message);
    await engine.run();
    expect(engine.posts.map((post) => post.id)).toEqual([id]);
    expect(await engine.states(number)).toEqual({ held: 12 });
  });
});

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
  const after = await engine.deliveries.get(message.subscriber, message.id, [message.target]);
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
