import { Webhook } from 'standardwebhooks';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Delivery } from '#shared/delivery/delivery.ts';
import { type PhoneNumber, builtInTargets as targets } from '#shared/webhooks/subscriber.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { answered, now, startApiWorld } from '#support/worlds/api-world.ts';
import { testWebhook as contract } from './contracts.ts';
import { makeHandler } from './test-webhook.ts';

captureLog();

const url = 'https://example.com/hook';

const world = forAllTests(() => startApiWorld());
beforeAll(() => {
  world.clock.now = Date.now();
});
beforeEach(() => {
  world.posts.length = 0;
  world.receiver.answer = answered(200, 'thanks');
});

const test = (number: PhoneNumber) => world.call({ contract, makeHandler }, number);

async function numberWithSecret(): Promise<{ number: PhoneNumber; secret: string }> {
  const number = await world.newNumber({ webhook: url });
  const secrets = await world.secrets.get(number.id);
  return { number, secret: secrets?.current ?? '' };
}

async function allLogged({ id }: PhoneNumber): Promise<Delivery[]> {
  const search = { subscriber: id, targets, order: 'newest-first', filter: {} } as const;
  const found = await Array.fromAsync(world.deliveries.search(search), ({ delivery }) => delivery);
  return found.filter((delivery) => delivery !== undefined);
}

/** The one delivery in the number's log. */
async function logged(number: PhoneNumber) {
  const found = await allLogged(number);
  expect(found).toHaveLength(1);
  return found[0];
}

describe('test-webhook', () => {
  it('sends one signed text message to the webhook', async () => {
    const { number, secret } = await numberWithSecret();
    const { status, text, headers: responseHeaders } = await test(number);
    expect(status).toBe(200);
    expect(responseHeaders['x-delivery-id']).toBe(world.posts[0]?.headers['webhook-id']);
    expect(responseHeaders).not.toHaveProperty('x-delivery-error');
    expect(text).toBe('{"success":true,"status":200,"duration_ms":200}');

    expect(world.posts).toEqual([{ url, timeoutMs: 10_000, headers: expect.any(Object), body: expect.any(String) }]);
    const { headers = {}, body = '' } = world.posts[0] ?? {};
    expect(new Webhook(secret).verify(body, headers)).toEqual({
      contacts: [{ profile: { name: 'Webhook test' }, wa_id: '551140000001' }],
      messages: [
        {
          from: '551140000001',
          id: `wamid.test-${headers['webhook-id']}`,
          timestamp: String(Math.floor(world.clock.now / 1000)),
          type: 'text',
          text: { body: 'Beep Beep!' },
        },
      ],
    });
  });

  it('keeps the delivery in the log under the returned id', async () => {
    const { number } = await numberWithSecret();
    await test(number);
    const { headers, body } = world.posts[0] ?? {};
    expect(await logged(number)).toEqual({
      id: headers?.['webhook-id'],
      subscriber: number.id,
      target: 'webhook',
      kind: 'test',
      payload: { text: body },
      state: 'delivered',
      attempt_count: 1,
      attempts: [{ at: world.clock.now - 200, duration_ms: 200, status: 200, excerpt: 'thanks' }],
      replays: [],
      created_at: world.clock.now,
    });
  });

  it('sends the same message to the secondary webhook, with its own headers, and responds with the result of the first', async () => {
    const secondary = 'https://second.example.com/hook';
    const number = await world.newNumber({ webhook: url, secondary_webhook: secondary, calls_webhook: url });
    const own = { origin: 'https://second.example.com', headers: { 'x-own': '1' } };
    await world.targets.changeTarget(number.id, 'secondary_webhook', { headers: own });
    world.receiver.answer = ({ url: asked }) => (asked === secondary ? answered(500, 'No.') : answered(200));
    const { json, headers } = await test(number);
    expect(json).toEqual({ success: true, status: 200, duration_ms: 200 });
    expect(headers).not.toHaveProperty('x-delivery-error');

    const [first, second, ...others] = world.posts.toSorted((a, b) => (a.url < b.url ? -1 : 1));
    expect(others).toEqual([]);
    expect([first?.url, second?.url]).toEqual([url, secondary]);
    expect(second?.body).toBe(first?.body);
    expect([first?.headers, second?.headers]).toMatchObject([
      { 'webhook-id': headers['x-delivery-id'] },
      { 'x-own': '1' },
    ]);
    expect(first?.headers).not.toHaveProperty('x-own');
    const log = (await allLogged(number)).map(({ id, target, state }) => ({ id, target, state }));
    expect(log.toSorted((a, b) => (a.target < b.target ? -1 : 1))).toEqual([
      { id: second?.headers['webhook-id'], target: 'secondary_webhook', state: 'waiting' },
      { id: headers['x-delivery-id'], target: 'webhook', state: 'delivered' },
    ]);
  });

  it.each([201, 204, 301, 500])('reports %i as a failure, and retries', async (answer) => {
    const { number } = await numberWithSecret();
    world.receiver.answer = answered(answer, 'No.');
    const { json, headers } = await test(number);
    expect(json).toEqual({ success: false, status: answer, duration_ms: 200 });
    expect(headers['x-delivery-error']).toBe('status');
    expect(await logged(number)).toMatchObject({
      id: headers['x-delivery-id'],
      state: 'waiting',
      next_attempt_at: world.clock.now + 10_000,
      attempts: [{ status: answer, excerpt: 'No.' }],
    });
    expect(world.queuedFor(number)).toMatchObject([{ task: 'retry', id: headers['x-delivery-id'], attempt_count: 1 }]);
  });

  it('has no status if the receiver does not respond', async () => {
    const { number } = await numberWithSecret();
    world.receiver.answer = { outcome: 'failed', error: 'forbidden-address', durationMs: 3.6 };
    const { json, headers } = await test(number);
    expect(json).toEqual({ success: false, status: null, duration_ms: 4 });
    expect(headers['x-delivery-error']).toBe('forbidden-address');
    expect(await logged(number)).toMatchObject({
      id: headers['x-delivery-id'],
      state: 'waiting',
      attempts: [{ error: 'forbidden-address' }],
    });
  });

  it('sends to a target with an open circuit breaker, and leaves the breaker unchanged', async () => {
    const { number } = await numberWithSecret();
    await world.breakTarget(number, 'webhook');
    expect((await test(number)).json).toMatchObject({ success: true });
    expect(await world.breakers.read(number.id, 'webhook')).toMatchObject({ breaker: { failures: 1, opened_at: now } });
  });

  it('sends to a target that gets none of its kind of events', async () => {
    const { number } = await numberWithSecret();
    await world.targets.changeTarget(number.id, 'webhook', { events: ['errors'] });
    expect((await test(number)).json).toMatchObject({ success: true });
    expect(world.posts).toHaveLength(1);
  });

  it('test-webhook requires a webhook URL', async () => {
    const number = await world.newNumber({ secondary_webhook: url });
    const { status, json } = await test(number);
    const text = 'No webhook URL is set. Set one first.';
    expect(status).toBe(422);
    expect(json).toEqual({ message: text, errors: { webhook: [text] } });
    expect(world.posts).toEqual([]);
  });

  it('reads no secrets unless a webhook URL is set', async () => {
    const get = vi.spyOn(world.secrets, 'get');
    await test(await world.newNumber());
    expect(get).not.toHaveBeenCalled();
    await test(await world.newNumber({ webhook: url }));
    expect(get).toHaveBeenCalledTimes(1);
    get.mockRestore();
  });
});
