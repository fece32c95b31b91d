import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { splitEvents } from '#shared/domain/ingestion/events.ts';
import { isHubSigned } from '#shared/domain/signing/hub-signature.ts';
import {
  appSecret,
  type ReceivedWebhook,
  startReceiver,
  startTestUpstream,
  verifyToken,
  wabaId,
} from '#support/worlds/simulated-graph.ts';

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let upstream: Awaited<ReturnType<typeof startTestUpstream>>;
beforeEach(async () => {
  receiver = await startReceiver();
  upstream = await startTestUpstream({ callbackUrl: receiver.url });
});
afterEach(async () => {
  await upstream.close();
  await receiver.close();
});

const send = (request: Record<string, unknown>) => upstream.control('POST', '/events', request);
const texts = (count: number) => Array.from({ length: count }, (_, i) => ({ type: 'text', id: `wamid.${i}` }));
const keysIn = ({ body }: ReceivedWebhook) =>
  splitEvents(JSON.parse(body.toString()), Date.now()).map((event) => ('key' in event ? event.key : event.kind));
const isSigned = ({ headers, body }: ReceivedWebhook) =>
  isHubSigned({ header: headers['x-hub-signature-256']?.toString(), body, appSecrets: [appSecret] });

describe('POST /simulator/events', () => {
  it('sends one POST for each event, in order', async () => {
    const { json } = await send({ events: texts(3) });
    expect(json.data.length).toBe(3);
    expect(receiver.received.map(keysIn)).toEqual([['message:wamid.0'], ['message:wamid.1'], ['message:wamid.2']]);
  });

  it('batches events as the upstream does', async () => {
    const read = { type: 'read', id: 'wamid.9' };
    const events = [...texts(2), read, { type: 'call_ringing', id: 'wacid.1' }, { type: 'flow_status_change' }];
    await send({ events: [...events, { type: 'text', id: 'wamid.5', phone_number_id: '1' }], batch: 6 });
    const [webhook, ...others] = receiver.received;
    expect(others).toEqual([]);
    const body = JSON.parse(String(webhook?.body));
    const [ofNumbers, ofFlows, ...more] = body.entry;
    expect(more).toEqual([]);
    expect([ofNumbers.time, ofFlows.time]).toEqual([undefined, expect.any(Number)]);
    const shape = [...ofNumbers.changes, ...ofFlows.changes].map(
      ({ field, value }: { field: string; value: object }) => [
        field,
        Object.entries(value).flatMap(([name, list]) => (Array.isArray(list) ? [`${list.length} ${name}`] : [])),
      ],
    );
    expect(shape).toEqual([
      ['messages', ['1 contacts', '2 messages', '1 statuses']],
      ['calls', ['1 statuses']],
      ['messages', ['1 contacts', '1 messages']],
      ['flows', []],
    ]);
  });

  it('fills POSTs with as many events as requested', async () => {
    await send({ events: texts(5), batch: 2 });
    expect(receiver.received.map(keysIn).map((keys) => keys.length)).toEqual([2, 2, 1]);
  });

  it('repeats each POST, byte for byte', async () => {
    await send({ events: texts(2), repeat: 3 });
    expect(receiver.received.length).toBe(6);
    expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(2);
  });

  it('shuffles events without losing any', async () => {
    await send({ events: texts(200), batch: 20, repeat: 2, shuffle: true });
    expect(receiver.received.length).toBe(20);
    const keys = receiver.received.flatMap(keysIn);
    const expected = texts(200).flatMap(({ id }) => [`message:${id}`, `message:${id}`]);
    expect(keys).not.toEqual(expected);
    expect(keys.toSorted()).toEqual(expected.toSorted());
  });

  it('sends a thousand updates in one POST', async () => {
    await send({ events: texts(1000), batch: 1000 });
    expect(receiver.received.map((webhook) => keysIn(webhook).length)).toEqual([1000]);
  });

  it('can forge or omit signatures', async () => {
    for (const signature of ['valid', 'wrong', 'missing']) await send({ events: texts(1), signature });
    const [valid, wrong, missing] = receiver.received;
    expect(receiver.received.map(isSigned)).toEqual([true, false, false]);
    expect(valid?.headers['x-hub-signature-256']).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(wrong?.headers['x-hub-signature-256']).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(missing?.headers).not.toHaveProperty('x-hub-signature-256');
  });

  it.each([
    { object: 'page', entry: [] },
    [],
    null,
    'text',
    { entry: [{ changes: [{ field: 'security', value: 'é' }] }] },
  ])('sends a raw payload unchanged: %j', async (raw) => {
    await send({ raw, repeat: 2 });
    expect(receiver.received.map(({ body }) => JSON.parse(body.toString()))).toEqual([raw, raw]);
    expect(receiver.received.every(isSigned)).toBe(true);
  });

  it.each([
    {},
    { events: [] },
    { events: texts(1), raw: {} },
    { events: [{ type: 'telegram' }] },
    { events: [{ type: 'text', phone_number_id: 1 }] },
    { events: texts(1), batch: 0 },
    { events: texts(1), repeat: 1.5 },
    { events: texts(1), signature: 'expired' },
    { events: texts(1), extra: true },
  ])('rejects an invalid request for events: %j', async (request) => {
    const { status, json } = await send(request);
    expect(status).toBe(400);
    expect(json.error.message).not.toBe('');
    expect(receiver.received).toEqual([]);
  });
});

describe('GET /simulator/events', () => {
  it('lists the sent events with the responses', async () => {
    const { json } = await send({ events: [{ type: 'read', id: 'wamid.1' }] });
    const listed = (await upstream.control('GET', '/events')).json;
    expect(listed).toEqual(json);
    expect(listed.data).toEqual([
      {
        id: expect.any(String),
        callback_url: receiver.url,
        signature: 'valid',
        body: JSON.parse(String(receiver.received[0]?.body)),
        attempts: [{ at: expect.stringMatching(/^\d{4}-.*Z$/), status: 200, answer: 'received' }],
      },
    ]);
  });
});

describe('POST /simulator/webhook', () => {
  it('verifies the callback, then sends events there', async () => {
    const other = await startReceiver();
    const callback_url = `${other.url}/hook?kept=1`;
    const answer = await upstream.control('POST', '/webhook', { callback_url, verify_token: verifyToken });
    expect([answer.status, answer.json]).toEqual([200, { callback_url }]);
    await send({ events: texts(1) });
    expect([receiver.received.length, other.received.length]).toEqual([0, 1]);
    await other.close();
  });

  it('keeps the old callback if the new one does not know the token', async () => {
    const other = await startReceiver();
    const answer = await upstream.control('POST', '/webhook', { callback_url: other.url, verify_token: 'wrong' });
    expect([answer.status, answer.json.error.message]).toEqual([400, expect.stringMatching(/answered 403$/)]);
    await send({ events: texts(1) });
    expect([receiver.received.length, other.received.length]).toEqual([1, 0]);
    await other.close();
  });

  it('reports that no server listens at the callback', async () => {
    const other = await startReceiver();
    await other.close();
    const { status, json } = await upstream.control('POST', '/webhook', { callback_url: other.url, verify_token: 't' });
    expect([status, json.error.message]).toEqual([400, expect.stringContaining('ECONNREFUSED')]);
  });

  it.each([{}, { callback_url: 'ftp://a.example', verify_token: 't' }, { callback_url: 'https://a.example' }])(
    'rejects an invalid callback: %j',
    async (request) => {
      expect((await upstream.control('POST', '/webhook', request)).status).toBe(400);
    },
  );
});

describe('without a callback', () => {
  it('events are rejected, and Flows still work', async () => {
    const alone = await startTestUpstream();
    expect((await alone.control('POST', '/events', { events: texts(1) })).status).toBe(409);
    const { status } = await alone.graph('POST', `/${wabaId}/flows`, { name: 'n', categories: ['OTHER'] });
    expect(status).toBe(200);
    expect((await alone.control('GET', '/events')).json).toEqual({ data: [] });
    await alone.close();
  });
});
