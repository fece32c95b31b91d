import { describe, expect, it } from 'vitest';
import { splitEvents } from '#shared/ingestion/events.ts';
import { forEachTest } from '#support/for-tests.ts';
import { type ReceivedWebhook, startReceiver, startTestUpstream, wabaId } from '#support/worlds/simulated-graph.ts';

const receiver = forEachTest(() => startReceiver());
const upstream = forEachTest(() => startTestUpstream({ callbackUrl: receiver.url }));

const send = (request: Record<string, unknown>) => upstream.control('POST', '/events', request);
const texts = (count: number) => Array.from({ length: count }, (_, i) => ({ type: 'text', id: `wamid.${i}` }));
const keysIn = ({ body }: ReceivedWebhook) =>
  splitEvents(JSON.parse(body.toString()), Date.now()).map((event) => ('key' in event ? event.key : event.kind));

describe('POST /simulator/events', () => {
  it('sends one POST for each event, in order', async () => {
    const { json } = await send({ events: texts(3) });
    expect(json.data.length).toBe(3);
    expect(receiver.received.map(keysIn)).toEqual([['message:wamid.0'], ['message:wamid.1'], ['message:wamid.2']]);
  });

  it('fills POSTs with as many events as requested', async () => {
    await send({ events: texts(5), batch: 2 });
    expect(receiver.received.map(keysIn).map((keys) => keys.length)).toEqual([2, 2, 1]);
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
        body: JSON.parse(String(receiver.received[0]?.body)),
        attempts: [{ at: expect.stringMatching(/^\d{4}-.*Z$/), status: 200, answer: 'received' }],
      },
    ]);
  });
});

describe('without a callback', () => {
  it('events go nowhere, and Flows still work', async () => {
    const alone = await startTestUpstream();
    expect((await alone.control('POST', '/events', { events: texts(1) })).json).toEqual({ data: [] });
    const { status } = await alone.graph('POST', `/${wabaId}/flows`, { name: 'n', categories: ['OTHER'] });
    expect(status).toBe(200);
    expect((await alone.control('GET', '/events')).json).toEqual({ data: [] });
    await alone.close();
  });
});
