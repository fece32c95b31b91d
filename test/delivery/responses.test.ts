import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canary } from '../../support/canary.ts';
import { serverCredentials } from '../../support/fakes/egress.ts';
import { type Answer, type Script, startReceiver } from '../../support/http/receiver.ts';
import {
  type DeliveryWorld,
  envelope,
  expectCleanLog,
  startDeliveryWorld,
  type TestNumber,
  textMessage,
} from '../../support/worlds/delivery-world.ts';
import { contact } from '../../support/worlds/population.ts';

let service: DeliveryWorld;

beforeAll(async () => {
  service = await startDeliveryWorld();
});
afterAll(async () => {
  expectCleanLog(service.world);
  await service.close();
});

/** A number, and the path of the receiver that its webhook is. */
interface Webhook {
  number: TestNumber;
  path: string;
}

/** Each test has its own, and most of its time waits: they run side by side. */
const it = test.extend<{ webhook: Webhook }>({
  webhook: async ({ task }, use) => {
    const path = `/${task.id}`;
    await use({ path, number: await service.newNumber({ webhook: path }) });
  },
});

/** What became of a notification that the receiver treats like this. */
async function deliver({ number, path }: Webhook, script: Script) {
  service.receiver.script(path, script);
  await service.sendTexts(number, 'hello');
  const [delivery] = await service.ended(number);
  return {
    state: delivery?.state,
    outcomes: delivery?.attempts.map(({ status, error }) => status ?? error),
    attempts: delivery?.attempts ?? [],
    requests: service.receiver.received(path),
  };
}

describe('a response with 200', () => {
  it('W-01 ends the delivery after one POST with exactly the bytes of the notification', async ({
    webhook: { number, path },
  }) => {
    const message = textMessage(`${canary} olá 👋`);
    expect(await service.post(envelope(number, { contacts: [contact], messages: [message] }))).toBe(200);
    const [delivery] = await service.ended(number);
    await service.untilDone();
    const body = JSON.stringify({ contacts: [contact], messages: [message] });
    expect(service.receiver.received(path).map((request) => [request.method, request.body.toString()])).toEqual([
      ['POST', body],
    ]);
    expect(service.receiver.received(path)[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'webhook-id': delivery?.id,
    });
    expect(delivery).toMatchObject({ state: 'delivered', kind: 'message', target: 'webhook', attempt_count: 1 });
    expect(delivery?.attempts).toEqual([{ at: expect.any(Number), duration_ms: expect.any(Number), status: 200 }]);
  });
});

describe.concurrent('any other response', () => {
  const statuses = [201, 202, 204, 301, 302, 307, 308, 400, 401, 404, 410, 429, 500, 502, 503, 504];
  it.for(statuses)(
    'W-02 with status %i is a failure and leads to another attempt with the same id and bytes',
    async (status, { webhook }) => {
      const { state, outcomes, requests } = await deliver(webhook, [{ status }, { status: 200 }]);
      expect([state, outcomes]).toEqual(['delivered', [status, 200]]);
      const [first, second] = requests;
      expect(requests).toHaveLength(2);
      expect(second?.body).toEqual(first?.body);
      expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    },
  );

  it.for([301, 302, 303, 307, 308])(
    'W-03 with the redirect %i is a failure, and its target is never visited',
    async (status, { webhook }) => {
      const elsewhere = `${webhook.path}/elsewhere`;
      const location = service.receiver.url + elsewhere;
      const { outcomes } = await deliver(webhook, [{ status, headers: { location } }, { status: 200 }]);
      expect(outcomes).toEqual([status, 200]);
      expect(service.receiver.received(elsewhere)).toEqual([]);
    },
  );
});

describe.concurrent('an incomplete or missing response', () => {
  it('W-06 a body that ends too early is recorded as such', async ({ webhook }) => {
    const { state, outcomes } = await deliver(webhook, ['cut', {}]);
    expect([state, outcomes]).toEqual(['delivered', ['closed-early', 200]]);
  });

  it('W-06 a connection that breaks is recorded as such', async () => {
    // One that no earlier request has used: a break of an idle connection says nothing about the receiver.
    const receiver = await startReceiver();
    const breaking = await service.newNumber({ webhook: `${receiver.url}/` });
    receiver.script('/', ['reset', {}]);
    await service.sendTexts(breaking, 'hello');
    const [delivery] = await service.ended(breaking);
    expect(delivery?.attempts.map(({ status, error }) => status ?? error)).toEqual(['reset', 200]);
    await receiver.close();
  });

  it('W-06 a receiver that does not listen exhausts the delivery', async () => {
    // No test may listen on a privileged port, as another could on one that was free a moment ago.
    const dead = await service.newNumber({ webhook: 'http://127.0.0.1:1/' });
    await service.sendTexts(dead, 'hello');
    const [delivery] = await service.ended(dead);
    expect(delivery?.state).toBe('exhausted');
    expect(delivery?.attempts.map(({ error }) => error)).toEqual(Array(4).fill('refused'));
  });

  it('W-06 an untrusted certificate exhausts the delivery', async () => {
    const posts: unknown[] = [];
    const server = createServer(serverCredentials, (request) => posts.push(request)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const untrusted = await service.newNumber({ webhook: `https://127.0.0.1:${port}/` });
    await service.sendTexts(untrusted, 'hello');
    const [delivery] = await service.ended(untrusted);
    expect(delivery?.attempts.map(({ error }) => error)).toEqual(Array(4).fill('tls'));
    expect(posts).toEqual([]);
    server.closeAllConnections();
    server.close();
  });
});

describe.concurrent('W-23 an unusual response', () => {
  const big = Buffer.alloc(10 * 1024 * 1024, 'z');
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));

  it.for<[string, Answer]>([
    ['10 MB', { body: big }],
    ['a gzip bomb', { body: bomb, headers: { 'content-encoding': 'gzip' } }],
    ['bytes that are no UTF-8', { body: Buffer.from([0xff, 0xfe, 0xfd]) }],
    ['odd headers', { headers: { 'x-odd': '\xff\xe9', 'content-type': 'nonsense', 'retry-after': '-1' } }],
  ])('of %s still counts as delivered', async ([, answer], { webhook }) => {
    expect(await deliver(webhook, [answer])).toMatchObject({ state: 'delivered', outcomes: [200] });
  });

  it('is logged only up to a limited length', async ({ webhook }) => {
    const { attempts } = await deliver(webhook, [{ status: 500, body: big }, {}]);
    expect(attempts[0]?.excerpt).toBe('z'.repeat(500));
  });

  it('with bytes that are not UTF-8 is logged as far as it can be decoded', async ({ webhook }) => {
    const { attempts } = await deliver(webhook, [{ status: 500, body: Buffer.from([0x6f, 0x6b, 0xff]) }, {}]);
    expect(attempts[0]?.excerpt).toBe('ok\ufffd');
  });

  it('with headers of 20 KB is a failure', async ({ webhook }) => {
    const { outcomes } = await deliver(webhook, [{ headers: { 'x-long': 'z'.repeat(20_000) } }, {}]);
    expect(outcomes).toEqual(['headers-too-large', 200]);
  });
});
