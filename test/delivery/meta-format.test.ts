import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { listDeliveries } from '#functions/deliveries/contracts.ts';
import { deleteWebhookTarget, listWebhookTargets, updateWebhookTarget } from '#functions/webhooks/contracts.ts';
import { listenOnLoopback } from '#local/aws/base/http/loopback.ts';
import { seededNumbers, seededTokens } from '#local/seed.ts';
import { apiClient } from '../../support/http/client.ts';
import {
  contact,
  type DeliveryWorld,
  envelope,
  expectCleanLog,
  soon,
  startDeliveryWorld,
  textMessage,
} from '../../support/worlds/delivery-world.ts';

const [number] = seededNumbers;
const text = 'Olá, tudo bem? 👍 "quoted" <b>/path</b> @me 100 %';
const [token, secret] = ['a token of the receiver', 'the app secret of the receiver'];

let service: DeliveryWorld;
let api: ReturnType<typeof apiClient>;

beforeAll(async () => {
  service = await startDeliveryWorld();
  api = apiClient(service.baseUrl, { token: seededTokens.owner, params: { number: String(number?.id) } });
});
afterAll(async () => {
  const { logs } = service.world;
  expectCleanLog(service.world);
  expect(logs.join('\n')).not.toMatch(new RegExp(`${token}|${secret}`));
  await service.close();
});

const sign = (body: Buffer | string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** As in Meta's sample applications: the hash of the bytes, which a middleware has kept. */
const hashesBytes = (body: Buffer, signature: string) => isSame(sign(body), signature);

/** As in receivers that only have the parsed body: they write it again, and escape what is not ASCII. */
function escapesFirst(body: Buffer, signature: string): boolean {
  const written = JSON.stringify(JSON.parse(body.toString('utf8')));
  const escaped = written.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return isSame(sign(escaped), signature);
}

/** A receiver that was written for Meta's webhooks. */
async function startMetaReceiver(isGenuine: typeof hashesBytes) {
  const received: unknown[] = [];
  const server = createServer((request, response) => void respond(request, response));
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = new URL(`http://any${request.url}`).searchParams;
    if (request.method === 'GET') {
      const isKnown = asked.get('hub.mode') === 'subscribe' && asked.get('hub.verify_token') === token;
      response.writeHead(isKnown ? 200 : 403).end(isKnown ? asked.get('hub.challenge') : undefined);
      return;
    }
    const body = Buffer.concat(await request.toArray());
    const isValid = isGenuine(body, String(request.headers['x-hub-signature-256']));
    if (isValid) received.push(JSON.parse(String(body)));
    response.writeHead(isValid ? 200 : 401).end();
  }
  const { url, close } = await listenOnLoopback(server, 0);
  onTestFinished(close);
  return { url: `${url}/webhooks/whatsapp`, received };
}

it.each([
  ['hashes the bytes', hashesBytes],
  ['escapes the body first', escapesFirst],
])('a receiver that was written for Meta and %s takes what this service sends', async (_, isGenuine) => {
  const receiver = await startMetaReceiver(isGenuine);
  const params = { number: String(number?.id), target: 'app' };
  onTestFinished(async () => void (await api.call(deleteWebhookTarget, { params })));
  const body = { format: 'meta', url: receiver.url, verify_token: token, app_secret: secret };
  const wrong = await api.call(updateWebhookTarget, { params, body: { ...body, verify_token: 'another' } });
  expect([wrong.status, wrong.message]).toEqual([422, expect.stringContaining('status 403')]);
  await api.succeed(updateWebhookTarget, { params, body });
  const names = (await api.succeed(listWebhookTargets)).data.map(({ name }) => name);
  expect(names).toContain('app');

  const message = textMessage(text);
  const event = envelope(
    { phone_number_id: String(number?.phone_number_id) },
    { contacts: [contact], messages: [message] },
  );
  expect(await service.post(event)).toBe(200);
  await vi.waitFor(() => expect(receiver.received).toEqual([event]), soon);
  await vi.waitFor(async () => {
    const { data } = await api.succeed(listDeliveries, { query: { target: 'app' } });
    expect(data.map(({ target, state }) => [target, state])).toEqual([['app', 'delivered']]);
  }, soon);
});
