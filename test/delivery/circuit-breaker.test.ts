import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract as replayDelivery } from '#functions/webhooks/replay-delivery/contract.ts';
import { contract as resumeWebhook } from '#functions/webhooks/resume-webhook/contract.ts';
import { contract as updateWebhook } from '#functions/webhooks/update-webhook/contract.ts';
import { type DeliveryWorld, expectCleanLog, startDeliveryWorld } from '../../support/worlds/delivery-world.ts';
import { answered, eventually, newWebhook, type Webhook } from '../../support/worlds/test-webhook.ts';

let service: DeliveryWorld;

beforeAll(async () => {
  // Enough attempts that none is the last, even on a slow machine.
  const schedule = Array(60).fill('2').join();
  service = await startDeliveryWorld({
    environment: { DELIVERY_RETRY_SCHEDULE: schedule },
  });
});
afterAll(async () => {
  expectCleanLog(service.world);
  await service.close();
});

const it = test.extend<{ webhook: Webhook }>({
  webhook: async ({ task }, use) => use(await newWebhook(service, `/${task.id}`)),
});

/** Sends enough notifications to a failing receiver to open its breaker. */
async function breakDown({ script, send, countOf }: Webhook, count = 15): Promise<void> {
  script({ status: 503 });
  await send(...Array.from({ length: count }, (_, index) => String(index)));
  await eventually(countOf('held'), count);
}

describe.concurrent('a target whose breaker is open', () => {
  it('W-18 gets nothing but probes, and gets every notification when it responds again', async ({ webhook }) => {
    await breakDown(webhook, 30);
    // A process may still remember that the breaker was closed, and make one attempt. A probe takes the oldest or the
    // newest held delivery, so most of the others have not been attempted.
    let count = 30;
    let tried: number;
    do {
      const texts = Array.from({ length: 30 }, (_, index) => `later ${count + index},`);
      await webhook.send(...texts);
      count += texts.length;
      await eventually(webhook.countOf('held'), count);
      const bodies = webhook.received().map(({ body }) => body.toString());
      tried = texts.filter((text) => bodies.some((body) => body.includes(text))).length;
      expect(count).toBeLessThan(600);
    } while (tried === 30);
    webhook.script({});
    await eventually(webhook.countOf('delivered'), count);
  });

  it('W-18 gets every notification at once when it is resumed, and W-20 no replay before', async ({ webhook }) => {
    await breakDown(webhook);
    const [delivery] = await service.deliveries(webhook.number);
    const replay = { params: { delivery: String(delivery?.id) } };
    const rejected = await answered(() => webhook.call(replayDelivery, replay));
    expect(rejected.status).toBe(400);
    webhook.script({});
    const { body } = await answered(() => webhook.call(resumeWebhook, { body: {} }));
    // Unless a probe came first.
    expect([{ resumed: ['webhook'] }, { resumed: [] }]).toContainEqual(body);
    await eventually(webhook.countOf('delivered'), 15);
  });

  it('W-12 gets at its new URL what was held for the old one, and without a new URL that is discarded', async ({
    webhook,
  }) => {
    await breakDown(webhook);
    await answered(() => webhook.call(updateWebhook, { body: { webhook: `${webhook.url}/new` } }));
    await eventually(webhook.countOf('delivered'), 15);
    expect(webhook.received('/new')).toHaveLength(15);
    service.receiver.script(`${webhook.path}/new`, [{ status: 503 }]);
    await webhook.send(...Array.from({ length: 15 }, (_, index) => `again ${index}`));
    await eventually(webhook.countOf('held'), 15);
    await answered(() => webhook.call(updateWebhook, { body: { webhook: null } }));
    await eventually(webhook.countOf('discarded'), 15);
  });
});
