import { describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { type Delivery, deliveryId } from '#shared/delivery/delivery.ts';
import { encodeCursor } from '#shared/http/page.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { now, startApiWorld } from '#support/worlds/api-world.ts';
import { listDeliveries as contract } from './contracts.ts';
import { makeHandler } from './list-deliveries.ts';

captureLog();

const world = forAllTests(() => startApiWorld());

const list = (number: PhoneNumber, query: Record<string, string> = {}, headers = {}) =>
  world.call({ contract, makeHandler }, number, { query, headers });

/** The delivery of an event of this many seconds ago, which came half a second later. */
async function deliveryOf(number: PhoneNumber, secondsAgo: number, members: Partial<Delivery> = {}): Promise<string> {
  const timestampMs = now - secondsAgo * 1000;
  const { target = 'webhook' } = members;
  const id = deliveryId({ subscriber: number.id, target, key: newId(), timestampMs });
  await world.newDelivery(number, { id, created_at: timestampMs + 500, ...members });
  return id;
}

const ids = (json: { data: { id: string }[] }) => json.data.map(({ id }) => id);
const at = (secondsAgo: number) => new Date(now - secondsAgo * 1000).toISOString();

describe('the list of deliveries', () => {
  it('the list of deliveries is empty at first', async () => {
    const number = await world.newNumber();
    const path = `https://api.example.com/v2/messaging/numbers/${number.id}/webhook/deliveries`;
    const { status, json } = await list(number);
    expect(status).toBe(200);
    expect(json).toEqual({
      data: [],
      links: { first: `${path}?limit=100`, last: null, prev: null, next: null },
      meta: { path, per_page: 100, next_cursor: null, prev_cursor: null },
    });
  });

  it('shows deliveries without their payload, newest first, with explanations in the requested language', async () => {
    const number = await world.newNumber();
    const older = await deliveryOf(number, 20);
    const newer = await deliveryOf(number, 10, { attempts: [{ at: now, duration_ms: 5, status: 204 }] });
    const { json } = await list(number, {}, { 'accept-language': 'pt' });
    expect(ids(json)).toEqual([newer, older]);
    expect(json.data[0]).toEqual({
      id: newer,
      target: 'webhook',
      kind: 'message',
      state: 'exhausted',
      attempts: [
        {
          at: '2026-01-31T08:15:30.123000Z',
          duration_ms: 5,
          status: 204,
          error: null,
          explanation: expect.stringMatching(
            /^O receptor retornou 204\. Somente o status 200 conta como entrega\. Retorne 200/,
          ),
          response_excerpt: null,
          replay: false,
        },
      ],
      next_attempt_at: null,
      created_at: '2026-01-31T08:15:20.623000Z',
    });
  });

  it('ends where deliveries are 30 days old', async () => {
    const number = await world.newNumber();
    await deliveryOf(number, 30 * 86_400 + 1);
    const kept = await deliveryOf(number, 30 * 86_400);
    expect(ids((await list(number)).json)).toEqual([kept]);
    expect(ids((await list(number, { since: '2020-01-01T00:00:00Z' })).json)).toEqual([kept]);
  });
});

describe('pages', () => {
  const follow = (number: PhoneNumber, link: string) => list(number, Object.fromEntries(new URL(link).searchParams));

  it('lead through the whole list and back, with each delivery once', async () => {
    const number = await world.newNumber();
    const all: string[] = [];
    for (let secondsAgo = 70; secondsAgo > 0; secondsAgo--) all.unshift(await deliveryOf(number, secondsAgo));

    let { json } = await list(number, { limit: '30' });
    expect(json.links.prev).toBeNull();
    const pages = [ids(json)];
    while (json.links.next) {
      json = (await follow(number, json.links.next)).json;
      pages.push(ids(json));
    }
    expect(pages).toEqual([all.slice(0, 30), all.slice(30, 60), all.slice(60)]);

    const back: string[][] = [];
    while (json.links.prev) {
      json = (await follow(number, json.links.prev)).json;
      back.push(ids(json));
    }
    expect(back).toEqual([all.slice(30, 60), all.slice(0, 30)]);
  });

  it('keep their filters and limit', async () => {
    const number = await world.newNumber();
    await deliveryOf(number, 3);
    await deliveryOf(number, 2, { state: 'delivered' });
    const newest = await deliveryOf(number, 1);
    const query = { state: 'exhausted', target: 'webhook', since: at(60), until: at(0), limit: '1' };
    const { json } = await list(number, query);
    expect(ids(json)).toEqual([newest]);
    expect(Object.fromEntries(new URL(json.links.next).searchParams)).toEqual({
      ...query,
      cursor: json.meta.next_cursor,
    });
    expect((await follow(number, json.links.next)).json.links.next).toBeNull();
  });

  it('end early when a search takes long, and link to the rest', async () => {
    const number = await world.newNumber();
    const older = await deliveryOf(number, 20);
    const newer = await deliveryOf(number, 10);
    let time = now;
    const tenSecondsLater = () => {
      time += 10_000;
      return time;
    };
    // Between any two looks at the clock, and so at each step of the search, ten seconds go by.
    const slow = { contract, makeHandler: () => makeHandler({ ...world.dependencies, now: tenSecondsLater }) };
    const first = (await world.call(slow, number)).json;
    const second = (await follow(number, first.links.next)).json;
    expect([ids(first), ids(second)]).toEqual([[newer], [older]]);
  });
});

describe('filters', () => {
  it.each([
    ['state', { state: 'delivered' }, ['b']],
    ['target', { target: 'calls_webhook' }, ['c']],
    ['since, by the time of creation', { since: at(19.5) }, ['c', 'b']],
    ['until, by the time of creation', { until: at(19.5) }, ['b', 'a']],
    ['all of them', { since: at(100), until: at(15), state: 'delivered', target: 'webhook' }, ['b']],
    ['none of them, if they have no values', { state: '', target: '', since: '', until: '' }, ['c', 'b', 'a']],
    ['a range that is empty', { since: at(1), until: at(2) }, []],
  ])('by %s', async (_, query, expected) => {
    const number = await world.newNumber();
    const named = {
      [await deliveryOf(number, 30)]: 'a',
      [await deliveryOf(number, 20, { state: 'delivered' })]: 'b',
      [await deliveryOf(number, 10, { target: 'calls_webhook' })]: 'c',
    };
    expect(ids((await list(number, query)).json).map((id) => named[id])).toEqual(expected);
  });

  it.each([
    ['state', 'lost'],
    ['target', 'third_webhook'],
    ['since', 'yesterday'],
    ['since', '2026-01-31'],
    ['until', '2026-02-31T25:00:00Z'],
  ])('are rejected with %s=%s', async (field, value) => {
    const { status, json } = await list(await world.newNumber(), { [field]: value });
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual([field]);
  });

  it('reject a cursor of another number', async () => {
    const cursor = encodeCursor({ list: newId(), item: newId(), towards: 'older' });
    expect((await list(await world.newNumber(), { cursor })).status).toBe(422);
  });
});
