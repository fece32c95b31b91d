import { describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { type Delivery, deliveryId } from '#shared/delivery/delivery.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { now, startApiWorld } from '#support/worlds/api-world.ts';
import { replayDeliveries as contract } from './contracts.ts';
import { makeHandler } from './replay-deliveries.ts';

captureLog();

const url = 'https://example.com/hook';

const world = forAllTests(() => startApiWorld());

const replay = (number: PhoneNumber, body: object) => world.call({ contract, makeHandler }, number, { body });
const at = (secondsAgo: number) => new Date(now - secondsAgo * 1000).toISOString();

async function deliveryOf(number: PhoneNumber, secondsAgo: number, members: Partial<Delivery> = {}): Promise<string> {
  const created_at = now - secondsAgo * 1000;
  const id = deliveryId({ subscriber: number.id, target: 'webhook', key: newId(), timestampMs: created_at });
  await world.newDelivery(number, { id, created_at, ...members });
  return id;
}

const replayed = (number: PhoneNumber) =>
  world.queuedFor(number).map((message) => {
    expect(message.task).toBe('replay');
    return 'id' in message && message.id;
  });

describe('replay-deliveries', () => {
  it('queues one attempt for each exhausted delivery of the time range, oldest first', async () => {
    const number = await world.newNumber({ webhook: url });
    await deliveryOf(number, 50);
    const expected = [await deliveryOf(number, 40), await deliveryOf(number, 30), await deliveryOf(number, 20)];
    await deliveryOf(number, 25, { state: 'delivered' });
    await deliveryOf(number, 10);
    const { status, json } = await replay(number, { since: at(40), until: at(20) });
    expect(status).toBe(200);
    expect(json).toEqual({ replayed: 3, more: false, next_cursor: null });
    expect(replayed(number)).toEqual(expected);
  });

  it.each(['delivered', 'discarded'] as const)('replays %s deliveries if the request asks for them', async (state) => {
    const number = await world.newNumber({ webhook: url });
    await deliveryOf(number, 20);
    const wanted = await deliveryOf(number, 10, { state });
    expect((await replay(number, { since: at(60), state })).json).toMatchObject({ replayed: 1 });
    expect(replayed(number)).toEqual([wanted]);
  });

  it('filters by target, and skips targets without a URL', async () => {
    const number = await world.newNumber({ webhook: url, calls_webhook: url });
    const message = await deliveryOf(number, 20);
    const call = await deliveryOf(number, 10, { target: 'calls_webhook' });
    await deliveryOf(number, 5, { target: 'secondary_webhook' });
    expect((await replay(number, { since: at(60), target: 'calls_webhook' })).json).toMatchObject({ replayed: 1 });
    expect(replayed(number)).toEqual([call]);
    expect((await replay(number, { since: at(60) })).json).toMatchObject({ replayed: 2, more: false });
    expect(replayed(number)).toEqual([call, message, call]);
  });

  it('replay-deliveries skips test notifications', async () => {
    const number = await world.newNumber({ webhook: url });
    await deliveryOf(number, 20, { kind: 'test' });
    const message = await deliveryOf(number, 10);
    expect((await replay(number, { since: at(60) })).json).toMatchObject({ replayed: 1 });
    expect(replayed(number)).toEqual([message]);
  });

  it('replays at most 1,000 deliveries, and continues with the cursor', async () => {
    const number = await world.newNumber({ webhook: url });
    const all: string[] = [];
    for (let secondsAgo = 1_050; secondsAgo > 0; secondsAgo -= 50) {
      const some = Array.from({ length: 50 }, (_, index) => deliveryOf(number, secondsAgo - index));
      all.push(...(await Promise.all(some)));
    }
    const first = (await replay(number, { since: at(3_600) })).json;
    expect(first).toEqual({ replayed: 1_000, more: true, next_cursor: expect.any(String) });
    const second = (await replay(number, { since: at(3_600), cursor: first.next_cursor })).json;
    expect(second).toEqual({ replayed: 50, more: false, next_cursor: null });
    expect(replayed(number)).toEqual(all);
  });
});

describe('replay-deliveries rejects', () => {
  it.each([
    ['since', {}],
    ['since', { since: 'yesterday' }],
    ['until', { since: at(10), until: '1' }],
    ['state', { since: at(10), state: 'waiting' }],
    ['target', { since: at(10), target: 'x' }],
    ['cursor', { since: at(10), cursor: 'x' }],
  ])('an invalid %s as in %j', async (field, body) => {
    const { status, json } = await replay(await world.newNumber({ webhook: url }), body);
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual([field]);
  });

  it('a time before the log begins, but allows for the duration of the request', async () => {
    const number = await world.newNumber({ webhook: url });
    const days = 86_400;
    expect((await replay(number, { since: at(30 * days + 60) })).status).toBe(200);
    const { status, json } = await replay(number, { since: at(30 * days + 60.001) });
    const text = 'The since field must be within the last 30 days.';
    expect(status).toBe(422);
    expect(json).toEqual({ message: text, errors: { since: [text] } });
  });

  it('a target with an open circuit breaker, unless the request names another one', async () => {
    const number = await world.newNumber({ webhook: url, secondary_webhook: url });
    await world.breakTarget(number, 'secondary_webhook');
    const { status, json } = await replay(number, { since: at(60) });
    expect(status).toBe(400);
    expect(json).toEqual({ message: expect.stringMatching(/secondary_webhook.*resume/) });
    expect((await replay(number, { since: at(60), target: 'webhook' })).status).toBe(200);
  });

  it.each([
    ['webhook', {}],
    ['calls_webhook', { target: 'calls_webhook' }],
  ])('a number without a %s URL: %j', async (target, body) => {
    const { status, json } = await replay(await world.newNumber(), { since: at(60), ...body });
    expect(status).toBe(400);
    expect(json).toEqual({ message: expect.stringContaining(`No ${target} URL is set`) });
  });
});
