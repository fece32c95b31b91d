import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract as testWebhook } from '#functions/webhooks/test-webhook/contract.ts';
import { type DeliveryWorld, expectCleanLog, startDeliveryWorld } from '../../support/worlds/delivery-world.ts';
import { eventually, newWebhook, type Webhook } from '../../support/worlds/test-webhook.ts';

let service: DeliveryWorld;

/** Short, because these receivers never respond: on a slow machine, too, each attempt ends in a timeout. */
const timeoutMs = 500;

beforeAll(async () => {
  service = await startDeliveryWorld({ environment: { DELIVERY_TIMEOUT_MS: String(timeoutMs) } });
});
afterAll(async () => {
  expectCleanLog(service.world);
  expect(service.world.logs.filter((line) => line.includes('Task timed out'))).toEqual([]);
  await service.close();
});

const it = test.extend<{ webhook: Webhook }>({
  webhook: async ({ task }, use) => use(await newWebhook(service, `/${task.id}`)),
});

it('W-29 a receiver that never responds fails the test notification, which is sent three more times', async ({
  webhook,
}) => {
  webhook.script('hang');
  const { status, body } = await webhook.call(testWebhook);
  expect([status, body]).toEqual([200, expect.objectContaining({ success: false, status: null })]);
  const [delivery] = await webhook.ended();
  expect(delivery).toMatchObject({ state: 'exhausted', attempts: Array(4).fill({ error: 'timeout' }) });
  // On a busy machine, the time can be over before the request arrives.
  expect(webhook.received().length).toBeLessThanOrEqual(4);
});

describe.concurrent('a receiver that never responds', () => {
  it('W-04 fails when the timeout of an attempt is over', async ({ webhook }) => {
    webhook.script('hang');
    await webhook.send('hello');
    const [delivery] = await webhook.ended();
    expect(delivery?.state).toBe('exhausted');
    expect(delivery?.attempts.map(({ error }) => error)).toEqual(Array(4).fill('timeout'));
    // A timer may fire a little early.
    for (const { duration_ms } of delivery?.attempts ?? []) expect(duration_ms).toBeGreaterThan(timeoutMs * 0.95);
  });

  // Each would last minutes if the time were only for a part of the response.
  it.for(['drip-head', 'drip-body'] as const)(
    'W-05 has one timeout for all parts of an attempt: %s',
    async (reaction, { webhook }) => {
      webhook.script(reaction);
      await webhook.send('hello');
      const [delivery] = await webhook.ended();
      expect(delivery?.attempts.map(({ error }) => error)).toEqual(Array(4).fill('timeout'));
    },
  );

  it('W-26 fails a whole batch at once, and gets every notification when it responds again', async ({ webhook }) => {
    webhook.script('hang');
    await webhook.send(...Array.from({ length: 9 }, (_, index) => String(index)));
    // On a busy machine the breaker may open before the last ones are tried.
    const outcomes = async () =>
      (await service.deliveries(webhook.number)).map(
        ({ attempts: [first], state }) => first?.error ?? (state === 'held' ? 'held' : 'none yet'),
      );
    const failed = async () =>
      (await outcomes()).filter((outcome) => outcome === 'timeout' || outcome === 'held').length;
    await eventually(failed, 9);
    expect((await outcomes()).filter((outcome) => outcome === 'timeout').length).toBeGreaterThan(4);
    webhook.script({});
    await webhook.ended(9);
  });
});
