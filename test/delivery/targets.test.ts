import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract as getDelivery } from '#functions/webhooks/get-delivery/contract.ts';
import { contract as listDeliveries } from '#functions/webhooks/list-deliveries/contract.ts';
import { contract as replayDeliveries } from '#functions/webhooks/replay-deliveries/contract.ts';
import { contract as replayDelivery } from '#functions/webhooks/replay-delivery/contract.ts';
import { contract as testWebhook } from '#functions/webhooks/test-webhook/contract.ts';
import { contract as updateWebhook } from '#functions/webhooks/update-webhook/contract.ts';
import { seededTokens } from '#local/seed.ts';
import { targetStore } from '#shared/adapters/dynamodb/subscribers/targets.ts';
import { keys } from '#shared/adapters/dynamodb/table/keys.ts';
import { apiClient } from '../../support/http/client.ts';
import { verified } from '../../support/http/receiver.ts';
import { inParallel } from '../../support/in-parallel.ts';
import { type DeliveryWorld, expectCleanLog, startDeliveryWorld } from '../../support/worlds/delivery-world.ts';
import { answered, eventually, newWebhook, type Webhook } from '../../support/worlds/test-webhook.ts';

let service: DeliveryWorld;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  service = await startDeliveryWorld();
  api = apiClient(service.baseUrl, { token: seededTokens.owner });
});
afterAll(async () => {
  expectCleanLog(service.world);
  await service.close();
});

/** Each test has a number of its own, and most of its time waits: they run side by side. */
const it = test.extend<{ webhook: Webhook }>({
  webhook: async ({ task }, use) => use(await newWebhook(service, `/${task.id}`)),
});

describe.concurrent('retries', () => {
  it('W-07 end after the schedule, and the delivery is exhausted but not a dead letter', async ({ webhook }) => {
    webhook.script({ status: 500 });
    await webhook.send('hello');
    const [delivery] = await webhook.ended();
    expect(delivery).toMatchObject({ state: 'exhausted', attempt_count: 4 });
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([500, 500, 500, 500]);
    expect(webhook.received()).toHaveLength(4);
    expect(await service.queue.deadLetters()).toBe(0);
  });

  it.for([
    ['2', 1_500],
    ['in a while', 0],
  ] as const)('W-08 are delayed by Retry-After: %s', async ([header, atLeastMs], { webhook }) => {
    webhook.script({ status: 429, headers: { 'retry-after': header } }, {});
    await webhook.send('hello');
    await webhook.ended();
    const [first, second] = webhook.received().map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(atLeastMs);
  });

  it('W-09 are sent only to the target that failed', async ({ webhook }) => {
    const secondary_webhook = `${webhook.url}/secondary`;
    await targetStore(service.world.table).setUrls(webhook.number.id, { secondary_webhook });
    webhook.script({ status: 500 }, { status: 500 }, {});
    await webhook.send('hello');
    await webhook.ended(2);
    const ids = [webhook.received(), webhook.received('/secondary')].map((requests) =>
      requests.map(({ headers }) => headers['webhook-id']),
    );
    expect(ids.map(({ length }) => length)).toEqual([3, 1]);
    expect(new Set(ids.flat()).size).toBe(2);
  });
});

describe.concurrent('a target that is changed', () => {
  /** Late enough for the change, on a busy machine too. */
  const retryLater = { status: 503, headers: { 'retry-after': '8' } };

  it('W-12 gets at its new URL the notifications that failed at the old one', async ({ webhook }) => {
    webhook.script(retryLater);
    await webhook.send('hello');
    await eventually(webhook.states, ['waiting']);
    expect((await webhook.call(updateWebhook, { body: { webhook: `${webhook.url}/new` } })).status).toBe(200);
    await webhook.ended();
    expect([webhook.received().length, webhook.received('/new').length]).toEqual([1, 1]);
  });

  it('W-12 that is removed ends its waiting deliveries', async ({ webhook }) => {
    webhook.script(retryLater);
    await webhook.send('hello');
    await eventually(webhook.states, ['waiting']);
    expect((await webhook.call(updateWebhook, { body: { webhook: null } })).status).toBe(200);
    expect((await webhook.ended()).map(({ state }) => state)).toEqual(['discarded']);
    expect(webhook.received()).toHaveLength(1);
  });

  it('W-12 that is removed and set again gets nothing that was waiting before', async ({ webhook }) => {
    webhook.script(retryLater);
    await webhook.send('hello');
    await eventually(webhook.states, ['waiting']);
    await webhook.call(updateWebhook, { body: { webhook: null } });
    await webhook.call(updateWebhook, { body: { webhook: `${webhook.url}/new` } });
    expect((await webhook.ended()).map(({ state }) => state)).toEqual(['discarded']);
    await webhook.send('hello again');
    await webhook.ended(2);
    expect([webhook.received().length, webhook.received('/new').length]).toEqual([1, 1]);
  });

  it('W-13 whose number is deleted ends its waiting deliveries', async ({ webhook }) => {
    webhook.script(retryLater);
    await webhook.send('hello');
    await eventually(webhook.states, ['waiting']);
    const { client, name } = service.world.table;
    await client.send(new DeleteCommand({ TableName: name, Key: keys.number(webhook.number.id) }));
    expect((await webhook.ended()).map(({ state }) => state)).toEqual(['discarded']);
    expect(webhook.received()).toHaveLength(1);
  });
});

describe.concurrent('W-20 a replay', () => {
  it('sends the same bytes with the same id once more for each request', async ({ webhook }) => {
    await webhook.send('hello');
    const [delivery] = await webhook.ended();
    const params = { delivery: String(delivery?.id) };
    await Promise.all([webhook.call(replayDelivery, { params }), webhook.call(replayDelivery, { params })]);
    await eventually(() => webhook.received().length, 3);
    const requests = webhook.received();
    expect(new Set(requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery?.id]));
    expect(new Set(requests.map(({ body }) => body.toString())).size).toBe(1);
    const replays = async () =>
      (await service.deliveries(webhook.number))[0]?.attempts.map(({ replay }) => replay ?? false);
    await eventually(replays, [false, true, true]);
  });

  it('replaces the automatic attempt that was due', async ({ webhook }) => {
    webhook.script({ status: 503, headers: { 'retry-after': '600' } }, {});
    await webhook.send('hello');
    await eventually(webhook.states, ['waiting']);
    const [delivery] = await service.deliveries(webhook.number);
    expect((await webhook.call(replayDelivery, { params: { delivery: String(delivery?.id) } })).status).toBe(200);
    await webhook.ended();
    expect(webhook.received()).toHaveLength(2);
  });

  it('W-19 of a period sends each delivery that failed in it once', async ({ webhook }) => {
    const since = new Date().toISOString();
    webhook.script({ status: 500 });
    await webhook.send('one', 'two');
    await webhook.ended(2);
    webhook.script({});
    const until = new Date(Date.now() + 1).toISOString();
    await webhook.send('three');
    await webhook.ended(3);
    const { body } = await webhook.call(replayDeliveries, { body: { since, until } });
    expect(body).toMatchObject({ replayed: 2, more: false });
    await eventually(webhook.countOf('delivered'), 3);
    expect(webhook.received()).toHaveLength(4 + 4 + 1 + 2);
    expect((await webhook.call(replayDeliveries, { body: { since, until } })).body).toMatchObject({ replayed: 0 });
  });
});

describe.concurrent('W-21 internal addresses', () => {
  const inside = [
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://100.100.100.200/',
    'https://0.0.0.0/',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://0251.0376.0251.0376/',
    'https://10.1/',
    'https://１０.0.0.1/',
    'https://[::ffff:10.0.0.1]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://user:password@93.184.216.34/',
    'https://localhost./',
    'https://93.184.216.34:22/',
    'http://93.184.216.34/',
    'ftp://93.184.216.34/',
    'https://intranet/',
  ];

  it.for(inside)('%s is rejected when it is saved', async (address, { webhook }) => {
    const { status, body } = await answered(() => webhook.call(updateWebhook, { body: { webhook: address } }));
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { webhook: [expect.any(String)] } });
    const settings = await targetStore(service.world.table).read(webhook.number.id);
    expect(settings?.targets.webhook.url).toBe(webhook.url);
  });

  it('are not reached even if they are stored, neither in a test nor in a delivery', async () => {
    const addresses = inside.filter((address) => address.startsWith('https://') && !address.includes('@'));
    const isNotReached = async (address: string) => {
      const saved = await service.newNumber({ webhook: address });
      await service.sendTexts(saved, 'hello');
      const { status, body } = await answered(() => api.call(testWebhook, { params: { number: saved.id } }));
      expect([status, body]).toEqual([200, expect.objectContaining({ success: false, status: null })]);
      const deliveries = await service.ended(saved, 2);
      const counts = (kind: string) => deliveries.filter((one) => one.kind === kind).map((one) => one.attempts.length);
      expect(counts('message')).toEqual([4]);
      // There may be several: the test is sent again after a 500.
      expect(Math.max(...counts('test'))).toBe(4);
      for (const { error } of deliveries.flatMap(({ attempts }) => attempts))
        expect(['forbidden-address', 'invalid-url']).toContain(error);
    };
    // Few at once: on a busy machine, calls of the table would take too long, and the service would respond 500.
    await inParallel(addresses, isNotReached, 3);
  });
});

describe.concurrent('W-29 the test notification', () => {
  it('is an incoming text message, signed and logged like every other', async ({ webhook }) => {
    const { status, body } = await webhook.call(testWebhook);
    expect([status, body]).toEqual([200, { success: true, status: 200, duration_ms: expect.any(Number) }]);
    const [request] = webhook.received();
    if (!request) throw new Error('Nothing came');
    expect(verified(request, webhook.number.secret)).toEqual({
      contacts: [{ profile: { name: expect.any(String) }, wa_id: expect.stringMatching(/^\d+$/) }],
      messages: [
        {
          from: expect.stringMatching(/^\d+$/),
          id: expect.any(String),
          timestamp: expect.stringMatching(/^\d{10}$/),
          type: 'text',
          text: { body: 'Beep Beep!' },
        },
      ],
    });
    const list = await api.succeed(listDeliveries, { params: { number: webhook.number.id } });
    expect(list.data).toMatchObject([{ id: request.headers['webhook-id'], kind: 'test', state: 'delivered' }]);
    const params = { number: webhook.number.id, delivery: String(list.data[0]?.id) };
    expect((await api.succeed(getDelivery, { params })).payload).toBe(request.body.toString());
  });

  it('that gets any other response than 200 fails, and is sent three more times', async ({ webhook }) => {
    webhook.script({ status: 201 });
    const { status, body } = await webhook.call(testWebhook);
    expect([status, body]).toEqual([200, { success: false, status: 201, duration_ms: expect.any(Number) }]);
    expect((await webhook.ended()).map(({ state }) => state)).toEqual(['exhausted']);
    expect(webhook.received()).toHaveLength(4);
  });

  it('W-11 is rejected without a webhook', async () => {
    const { id } = await service.newNumber({});
    expect((await api.call(testWebhook, { params: { number: id } })).status).toBe(422);
  });
});
