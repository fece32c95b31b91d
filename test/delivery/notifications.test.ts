import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getDelivery } from '#functions/deliveries/contracts.ts';
import { type EventType, samplesByKind } from '#local/graph/events/events.ts';
import { seededTokens } from '#local/seed.ts';
import { newId } from '#shared/base/ids.ts';
import { canary } from '../../support/canary.ts';
import { apiClient } from '../../support/http/client.ts';
import { verified } from '../../support/http/receiver.ts';
import {
  contact,
  type DeliveryWorld,
  envelope,
  expectCleanLog,
  soon,
  startDeliveryWorld,
  type TestNumber,
  textMessage,
} from '../../support/worlds/delivery-world.ts';

let service: DeliveryWorld;
let number: TestNumber;

beforeAll(async () => {
  // The attempts at a receiver that never responds last until everything else is over.
  service = await startDeliveryWorld({ environment: { DELIVERY_TIMEOUT_MS: '25000' } });
});
afterAll(async () => {
  expectCleanLog(service.world);
  await service.close();
});
beforeEach(async () => {
  number = await newNumber();
});

/** One with all three targets, each a path of its own. */
function newNumber(): Promise<TestNumber> {
  const path = `/${newId()}`;
  return service.newNumber({
    webhook: `${path}/main`,
    secondary_webhook: `${path}/secondary`,
    calls_webhook: `${path}/calls`,
  });
}

const pathOf = (url: string | undefined) => new URL(String(url)).pathname;

/** The notifications that each target of a number has received so far, as texts. */
function receivedBy({ webhook, secondary_webhook, calls_webhook }: TestNumber) {
  const texts = (url: string | undefined) => service.receiver.received(pathOf(url)).map(({ body }) => body.toString());
  return { main: texts(webhook), secondary: texts(secondary_webhook), calls: texts(calls_webhook) };
}

/** The same, when nothing more is to come. */
async function received() {
  await service.untilDone();
  return receivedBy(number);
}

/** The members of an object as JSON, without its braces. */
const membersOf = (object: object) => JSON.stringify(object).slice(1, -1);

const parsed = (texts: readonly string[]) => texts.map((text) => JSON.parse(text) as Record<string, object[]>);

describe('a response with 200', () => {
  it('ends the delivery after one POST with exactly the bytes of the notification', async () => {
    const message = textMessage(`${canary} olá 👋`);
    expect(await service.post(envelope(number, { contacts: [contact], messages: [message] }))).toBe(200);
    const [delivery] = (await service.ended(number, 2)).filter(({ target }) => target === 'webhook');
    await service.untilDone();
    const body = JSON.stringify({ contacts: [contact], messages: [message] });
    const requests = service.receiver.received(pathOf(number.webhook));
    expect(requests.map((request) => [request.method, request.body.toString()])).toEqual([['POST', body]]);
    expect(requests[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'webhook-id': delivery?.id,
    });
    expect(delivery).toMatchObject({ state: 'delivered', kind: 'message', attempt_count: 1 });
    expect(delivery?.attempts).toEqual([{ at: expect.any(Number), duration_ms: expect.any(Number), status: 200 }]);
  });
});

describe('every event of the upstream', () => {
  it('is sent to the targets that it is for, of the number that it is about and of no other', async () => {
    const other = await newNumber();
    const kinds = ['message', 'status', 'error', 'call', 'flow', 'field'] as const;
    const types = kinds.flatMap((kind) => Object.keys(samplesByKind[kind]) as EventType[]);
    const events = types.map((type) => ({ type, phone_number_id: number.phone_number_id, contact }));
    await service.simulate(events, events.length);
    const { main, secondary, calls } = await received();
    const countOf = (kind: (typeof kinds)[number]) => Object.keys(samplesByKind[kind]).length;
    const toWebhooks = countOf('message') + countOf('status') + countOf('error');
    // On a busy machine, one may come twice.
    const sizes = [main, secondary, calls].map((texts) => new Set(texts).size);
    expect(sizes).toEqual([toWebhooks, toWebhooks, countOf('call')]);
    expect(receivedBy(other)).toEqual({ main: [], secondary: [], calls: [] });
    expect(await service.deliveries(other)).toEqual([]);
  });
});

describe('an internal address', () => {
  it('is not reached even if it is stored', async () => {
    const saved = await service.newNumber({ webhook: 'https://169.254.169.254/latest/meta-data/' });
    await service.sendTexts(saved, 'hello');
    const [delivery] = await service.ended(saved);
    expect(delivery?.attempts.map(({ error }) => error)).toEqual(Array(4).fill('forbidden-address'));
  });
});

describe('repeats and order', () => {
  it('a repeated event makes no second delivery, even next to other events', async () => {
    const [first, second, third] = [textMessage('1'), textMessage('2'), textMessage('3')];
    const send = (...messages: object[]) => service.post(envelope(number, { contacts: [contact], messages }));
    expect(await Promise.all([send(first, second), send(second, third), send(first), send(third)])).toEqual(
      Array(4).fill(200),
    );
    expect(await send(first)).toBe(200);
    const { main, secondary } = await received();
    expect([main.length, secondary.length]).toEqual([3, 3]);
    expect(await service.deliveries(number)).toHaveLength(6);
  });

  it('the members of an object keep their order, and unknown ones are kept', async () => {
    const message = `{"zeta":1,"type":"poll","timestamp":"1795000000","poll":{"b":[1,{"y":0,"x":null}],"a":"é"},"id":"wamid.${newId()}",${membersOf({ from: contact.wa_id })}}`;
    const { profile: _, ...ids } = contact;
    const contacts = `[{"profile":{"name":"${canary}","unknown":true},${membersOf(ids)},"vip":1}]`;
    const body = JSON.stringify(envelope(number, { contacts: '<contacts>', messages: '<messages>' }))
      .replace('"<contacts>"', contacts)
      .replace('"<messages>"', `[${message}]`);
    expect(await service.post(body)).toBe(200);
    expect((await received()).main).toEqual([`{"contacts":${contacts},"messages":[${message}]}`]);
  });
});

describe('any text that people write', () => {
  it('arrives character for character, next to any other text, and is readable in the log', async () => {
    const hostile = `${String.fromCodePoint(0xfffe, 0xffff, 0xd800, 0x1fffe, 0x10ffff, 0, 0x2028)}\\uffff"`;
    const from = { ...contact, profile: { name: `${canary} ${hostile}` } };
    const messages = [hostile, 'hello', `x${hostile}`.repeat(3_000), 'bye'].map((text) => textMessage(text));
    // As the upstream may write it, without escapes that JSON does not ask for.
    const body = JSON.stringify(envelope(number, { contacts: [from], messages }));
    expect(await service.post(body)).toBe(200);
    const { main, secondary } = await received();
    const whole = messages.map((message) => JSON.stringify({ contacts: [from], messages: [message] }));
    expect(main.sort()).toEqual([...whole].sort());
    expect(secondary.sort()).toEqual([...whole].sort());
    const api = apiClient(service.baseUrl, { token: seededTokens.owner });
    const payloads = await Promise.all(
      (await service.deliveries(number)).map(async ({ id, target }) => {
        const params = { number: number.id, delivery: id };
        const { payload } = await api.succeed(getDelivery, { params });
        return target === 'webhook' ? [payload] : [];
      }),
    );
    expect(payloads.flat().sort()).toEqual([...whole].sort());
  });
});

describe('a large notification', () => {
  // Up to 200,000 bytes travel with the message and stay in the item; the queue takes a mebibyte.
  it('of about 3 MB arrives completely', async () => {
    const text = '😀é'.repeat(500_000);
    const message = textMessage(text);
    expect(await service.post(envelope(number, { contacts: [contact], messages: [message] }))).toBe(200);
    const { main, secondary } = await received();
    expect(main[0]?.length).toBe(JSON.stringify({ contacts: [contact], messages: [message] }).length);
    expect(main).toEqual([JSON.stringify({ contacts: [contact], messages: [message] })]);
    expect(secondary).toEqual(main);
    const [request] = service.receiver.received(pathOf(number.webhook));
    expect(request?.headers['content-length']).toBe(String(request?.body.length));
    if (request) verified(request, number.secret);
  });
});

describe('clocks that differ', () => {
  it.each([
    ['a year ahead', 365 * 86_400],
    ['ten years ago', -10 * 365 * 86_400],
  ])('an event that happened %s still arrives', async (_, seconds) => {
    const message = textMessage(canary, { timestamp: String(Math.floor(Date.now() / 1000) + seconds) });
    expect(await service.post(envelope(number, { contacts: [contact], messages: [message] }))).toBe(200);
    expect(parsed((await received()).main)).toEqual([{ contacts: [contact], messages: [message] }]);
    expect(await service.deliveries(number)).toHaveLength(2);
  });
});

describe('concurrent notifications', () => {
  it('a number whose receiver never responds does not delay another number', async () => {
    const dead = await service.newNumber({ webhook: '/dead' });
    const healthy = await service.newNumber({ webhook: '/healthy' });
    service.receiver.script('/dead', ['hang']);
    const texts = Array.from({ length: 30 }, (_, index) => String(index));
    await service.sendTexts(dead, ...texts);
    await expect.poll(() => service.receiver.received('/dead'), soon).not.toEqual([]);
    await service.sendTexts(healthy, ...texts);

    const delivered = await service.ended(healthy, 30);
    expect(new Set(delivered.map(({ state }) => state))).toEqual(new Set(['delivered']));
    expect(service.receiver.received('/healthy')).toHaveLength(30);
    const finished = (await service.deliveries(dead)).flatMap(({ attempts }) => attempts);
    expect(finished, 'attempts at the silent receiver that ended before').toEqual([]);
  });
});
