import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { contract as getDelivery } from '#functions/webhooks/get-delivery/contract.ts';
import { contract as rotateSecret } from '#functions/webhooks/rotate-webhook-secret/contract.ts';
import { workspaceContract as updateWorkspaceWebhook } from '#functions/webhooks/update-webhook/contract.ts';
import { type EventType, samplesByKind } from '#local/graph/events/events.ts';
import { seededNumbers, seededTokens, seededWorkspaces } from '#local/seed.ts';
import { newId } from '#shared/base/ids.ts';
import { canary } from '../../support/canary.ts';
import { apiClient } from '../../support/http/client.ts';
import { verified } from '../../support/http/receiver.ts';
import {
  type DeliveryWorld,
  envelope,
  expectCleanLog,
  soon,
  startDeliveryWorld,
  type TestNumber,
  textMessage,
} from '../../support/worlds/delivery-world.ts';
import { contact, recipient, sender } from '../../support/worlds/population.ts';

let service: DeliveryWorld;
let number: TestNumber;

beforeAll(async () => {
  service = await startDeliveryWorld();
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

const event = (target: TestNumber, type: EventType, members: object = {}) => ({
  type,
  phone_number_id: target.phone_number_id,
  contact,
  ...members,
});

/** The members of an object as JSON, without its braces. */
const membersOf = (object: object) => JSON.stringify(object).slice(1, -1);

const parsed = (texts: readonly string[]) => texts.map((text) => JSON.parse(text) as Record<string, object[]>);

const ofKind = (kind: keyof typeof samplesByKind) => Object.keys(samplesByKind[kind]) as EventType[];
const ofNumbers = (['message', 'status', 'error', 'call'] as const).flatMap(ofKind);
const ofNoNumber = [...ofKind('flow'), ...ofKind('field')];

describe('every event of the upstream', () => {
  /** Of each type there is one, about a number of its own; those that belong to no number share one. */
  const numbers = new Map<EventType, TestNumber>();
  const receivedOf = (type: EventType) => receivedBy(numbers.get(type) ?? number);

  beforeAll(async () => {
    await Promise.all(ofNumbers.map(async (type) => numbers.set(type, await newNumber())));
    const shared = await newNumber();
    for (const type of ofNoNumber) numbers.set(type, shared);
    await service.simulate([...numbers].map(([type, about]) => event(about, type)));
    await service.untilDone();
  });

  const messageTypes = Object.keys(samplesByKind.message) as (keyof typeof samplesByKind.message)[];
  it.each(messageTypes)('a message of the type %s arrives with its contact, at both webhooks', (type) => {
    const { main, secondary, calls } = receivedOf(type);
    expect(main).toHaveLength(1);
    expect([secondary, calls]).toEqual([main, []]);
    const [notification] = parsed(main);
    const beside = type === 'routed_text' ? ['conversation_context'] : [];
    expect(Object.keys(notification ?? {})).toEqual(['contacts', 'messages', ...beside]);
    expect(notification?.contacts).toEqual([contact]);
    expect(notification?.messages).toEqual([
      expect.objectContaining({
        ...sender,
        id: expect.stringMatching(type === 'voicemail' ? /^wacid\./ : /^wamid\./),
        timestamp: expect.stringMatching(/^\d{10}$/),
        type: samplesByKind.message[type].type,
      }),
    ]);
    // The upstream's envelope and the short-lived addresses of media stay here.
    expect(main[0]).not.toMatch(/messaging_product|phone_number_id|entry|lookaside/);
  });

  it.each([
    ['text', { text: { body: 'Hello! Olá! ¿Qué tal? 👋' } }],
    ['image', { image: { caption: 'Our new shop', mime_type: 'image/jpeg', sha256: /./, id: /^\d+$/ } }],
    ['document', { document: { filename: 'order.pdf', mime_type: 'application/pdf', sha256: /./, id: /^\d+$/ } }],
    ['video', { video: { mime_type: 'video/mp4', sha256: /./, id: /^\d+$/ } }],
    ['audio', { audio: { mime_type: 'audio/mpeg', sha256: /./, id: /^\d+$/, voice: false } }],
    ['voice', { audio: { mime_type: 'audio/ogg; codecs=opus', sha256: /./, id: /^\d+$/, voice: true } }],
    ['sticker', { sticker: { mime_type: 'image/webp', sha256: /./, id: /^\d+$/, animated: false } }],
    [
      'location',
      {
        location: {
          address: '1071 5th Ave, New York, NY 10128',
          latitude: 40.782910059774,
          longitude: -73.959075808525,
          name: 'Solomon R. Guggenheim Museum',
          url: 'https://www.guggenheim.org/',
        },
      },
    ],
  ] as const)('a message of the type %s has the specified content', (type, content) => {
    const [notification] = parsed(receivedOf(type).main);
    const [member, fields] = Object.entries(content)[0] ?? [];
    const message = notification?.messages?.[0] as Record<string, object>;
    expect(Object.keys(message).sort()).toEqual(
      [...Object.keys(sender), 'id', 'timestamp', 'type', String(member)].sort(),
    );
    expect(message[String(member)]).toEqual(
      Object.fromEntries(
        Object.entries(fields as object).map(([name, value]) => [
          name,
          value instanceof RegExp ? expect.stringMatching(value) : value,
        ]),
      ),
    );
  });

  it('a contact card, and the context of a reply, arrive completely', async () => {
    const context = { from: '15550783881', id: 'wamid.original' };
    await service.simulate([event(number, 'contacts', { context })]);
    const [message] = parsed((await received()).main)[0]?.messages ?? [];
    expect(message).toMatchObject({
      context,
      contacts: [
        {
          addresses: [{ city: 'Menlo Park', country: 'United States', country_code: 'us', state: 'CA', type: 'WORK' }],
          birthday: '1999-01-23',
          emails: [{ email: 'bjohnson@example.com', type: 'WORK' }],
          name: { first_name: 'Barbara', formatted_name: 'Barbara J. Johnson', last_name: 'Johnson' },
          org: { company: 'Social Tsunami' },
          phones: [{ phone: '+1 (650) 555-1234', wa_id: '16505551234', type: 'CELL' }],
          urls: [{ url: 'https://www.example.com/', type: 'WORK' }],
        },
      ],
    });
  });

  const statuses = Object.keys(samplesByKind.status) as (keyof typeof samplesByKind.status)[];
  it.each(statuses)('the status %s arrives at both webhooks', (type) => {
    const { main, secondary, calls } = receivedOf(type);
    expect(main).toHaveLength(1);
    expect([secondary, calls]).toEqual([main, []]);
    const [notification] = parsed(main);
    expect(Object.keys(notification ?? {})).toEqual(type === 'failed' ? ['statuses'] : ['statuses', 'contacts']);
    const sample = samplesByKind.status[type];
    const errors = [
      { code: 131026, title: 'Message undeliverable', details: expect.any(String), href: expect.any(String) },
    ];
    expect(notification?.statuses).toEqual([
      expect.objectContaining({
        id: expect.stringMatching(/^wamid\./),
        status: type,
        timestamp: expect.stringMatching(/^\d{10}$/),
        ...('recipient_type' in sample ? {} : recipient),
        ...sample,
        ...(type === 'failed' && { errors }),
      }),
    ]);
    expect('errors' in (notification?.statuses?.[0] ?? {})).toBe(type === 'failed');
  });

  it('an out-of-band error arrives flat, at both webhooks', () => {
    const { main, secondary, calls } = receivedOf('error');
    expect([secondary, calls]).toEqual([main, []]);
    expect(parsed(main)).toEqual([
      {
        errors: [
          {
            code: 130429,
            title: 'Rate limit hit',
            details: 'Message failed to send because there were too many messages.',
            href: expect.stringMatching(/^https:/),
          },
        ],
      },
    ]);
  });

  const calls = ofKind('call');
  it.each(calls)('W-10 the call event %s arrives at the calls webhook only', (type) => {
    const { main, secondary, calls } = receivedOf(type);
    expect([main, secondary]).toEqual([[], []]);
    expect(calls).toHaveLength(1);
    const [notification] = parsed(calls);
    const common = { id: expect.stringMatching(/^wacid\./), timestamp: expect.stringMatching(/^\d{10}$/) };
    const to = { to: expect.any(String) };
    const parties = { ...common, ...sender, ...to, direction: 'USER_INITIATED' };
    const file = { id: expect.any(String), mime_type: expect.any(String), sha256: expect.any(String) };
    const sdp = expect.stringMatching(/^v=0\r\n/);
    expect(notification).toEqual(
      {
        call_connect: {
          calls: [
            {
              ...parties,
              call_id: Object(notification?.calls?.[0]).id,
              event: 'connect',
              connection: { webrtc: { sdp } },
              session: { sdp_type: 'offer', sdp },
            },
          ],
          contacts: [contact],
        },
        call_terminate: {
          calls: [
            {
              ...parties,
              event: 'terminate',
              start_time: expect.anything(),
              end_time: expect.anything(),
              duration: 59,
              status: 'COMPLETED',
            },
          ],
          contacts: [contact],
        },
        call_created: { calls: [{ ...parties, event: 'call_created' }], contacts: [contact] },
        // Without the links, which are short-lived.
        call_recording_available: {
          calls: [{ ...common, ...sender, ...to, event: type, call_recording: { audio: file } }],
          contacts: [contact],
        },
        call_transcription_available: {
          calls: [{ ...common, ...sender, ...to, event: type, call_transcript: { document: file } }],
          contacts: [contact],
        },
        call_ringing: { statuses: [expect.objectContaining({ ...common, status: 'RINGING' })] },
        call_accepted: { statuses: [expect.objectContaining({ ...common, status: 'ACCEPTED' })] },
        call_rejected: { statuses: [expect.objectContaining({ ...common, status: 'REJECTED' })] },
      }[type as string],
    );
  });

  it('is sent to no receiver of a number if it is about a Flow or of another field', () => {
    for (const type of ofNoNumber) expect(receivedOf(type)).toEqual({ main: [], secondary: [], calls: [] });
  });

  it('is sent to the number that it is about and to no other', async () => {
    const other = await newNumber();
    const events = [...ofNumbers, ...ofNoNumber].map((type) => event(number, type));
    await service.simulate(events, events.length);
    const { main, secondary, calls: called } = await received();
    const toWebhooks = messageTypes.length + statuses.length + 1;
    expect([main.length, secondary.length, called.length]).toEqual([toWebhooks, toWebhooks, calls.length]);
    expect(receivedBy(other)).toEqual({ main: [], secondary: [], calls: [] });
    expect(await service.deliveries(other)).toEqual([]);
  });
});

describe('what belongs to no webhook of a number', () => {
  it('arrives at the webhook of the workspace, whatever its field', async () => {
    const api = apiClient(service.baseUrl, {
      token: seededTokens.owner,
      params: { workspace: String(seededWorkspaces[0]?.id) },
    });
    const path = `/${newId()}`;
    await api.succeed(updateWorkspaceWebhook, { body: { webhook: service.receiver.url + path } });
    onTestFinished(() => api.succeed(updateWorkspaceWebhook, { body: { webhook: null } }).then(() => undefined));
    const unknown = { ...event(number, 'field'), field: 'holograms', value: { projected: true } };
    const others = ofNoNumber.map((type) => event(number, type, { mark: type }));
    await service.simulate([...others, unknown]);
    await service.untilDone();
    const arrived = parsed(service.receiver.received(path).map(({ body }) => body.toString()));
    expect(arrived).toContainEqual({ field: 'holograms', value: { projected: true } });
    const marks = arrived.map(({ value }) => Object(value).mark as string | undefined);
    expect(marks.filter((mark) => mark !== undefined).sort()).toEqual(others.map(({ type }) => type).sort());
  });
});

describe('targets', () => {
  it('W-10 nothing about a call is sent without a calls webhook', async () => {
    const silent = await service.newNumber({ webhook: String(number.webhook) });
    await service.simulate(ofKind('call').map((type) => event(silent, type)));
    expect((await received()).main).toEqual([]);
    expect(await service.deliveries(silent)).toEqual([]);
  });

  it('W-11 nothing is sent, queued or stored without a webhook', async () => {
    const silent = await service.newNumber({});
    await service.sendTexts(silent, 'hello');
    expect(await service.queue.count()).toEqual({ visible: 0, hidden: 0 });
    expect(await service.deliveries(silent)).toEqual([]);
  });

  it('an inactive number gets nothing', async () => {
    const inactive = await service.newNumber({ webhook: String(number.webhook) }, { active: false });
    await service.sendTexts(inactive, 'hello');
    expect((await received()).main).toEqual([]);
  });

  it('the seeded numbers have no webhooks at first', async () => {
    await service.simulate(seededNumbers.map(({ phone_number_id }) => ({ type: 'text', phone_number_id, contact })));
    await service.untilDone();
    expect((await Promise.all(seededNumbers.map(service.deliveries))).flat()).toEqual([]);
  });
});

describe('repeats and order', () => {
  it('W-14 a repeated event makes no second delivery, even next to other events', async () => {
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

  it('W-28 the members of an object keep their order, and unknown ones are kept', async () => {
    const message = `{"zeta":1,"type":"poll","timestamp":"1795000000","poll":{"b":[1,{"y":0,"x":null}],"a":"é"},"id":"wamid.${newId()}",${membersOf(sender)}}`;
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

  it('W-28 keeps every number digit for digit', async () => {
    const id = `wamid.${newId()}`;
    const message = `{${membersOf(sender)},"id":"${id}","timestamp":"1795000000","type":"x","x":[12345678901234567890,1e400,1.0,-0,0.10]}`;
    const body = JSON.stringify(envelope(number, { messages: ['<message>'] })).replace('"<message>"', message);
    expect(await service.post(body)).toBe(200);
    expect((await received()).main).toEqual([`{"contacts":[{"wa_id":"16505551234"}],"messages":[${message}]}`]);
  });
});

describe('W-24 a large notification', () => {
  // Up to 200,000 bytes travel with the message and stay in the item; the queue takes a mebibyte.
  it.each([199_900, 200_000, 200_100, 1_048_576, 3_000_000])('of about %i bytes arrives completely', async (bytes) => {
    const text = '😀é'.repeat(bytes / 6);
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

  it('of very many small values arrives completely', async () => {
    await service.sendTexts(number, ...Array.from({ length: 150 }, (_, index) => String(index)));
    expect(new Set((await received()).main).size).toBe(150);
  });
});

describe('W-22 the signature', () => {
  it('is valid, and a retry has the same id and another time', async () => {
    // Timestamps are whole seconds.
    service.receiver.script(pathOf(number.webhook), [{ status: 500, headers: { 'retry-after': '1' } }, {}]);
    await service.sendTexts(number, 'hello');
    await service.ended(number, 2);
    const requests = service.receiver.received(pathOf(number.webhook));
    expect(requests.map((request) => verified(request, number.secret))).toHaveLength(2);
    const header = (name: string) => new Set(requests.map(({ headers }) => headers[name])).size;
    expect([header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')]).toEqual([1, 2, 2]);
  });

  it('is invalid for another secret, body, id or time', async () => {
    await service.sendTexts(number, 'hello');
    await received();
    const [request] = service.receiver.received(pathOf(number.webhook));
    if (!request) throw new Error('Nothing came');
    const with_ = (headers: object) => ({ ...request, headers: { ...request.headers, ...headers } });
    const timestamp = String(Number(request.headers['webhook-timestamp']) + 1);
    const other = await service.newNumber({});
    expect(() => verified(request, number.secret)).not.toThrow();
    expect(() => verified(request, other.secret)).toThrow();
    expect(() =>
      verified({ ...request, body: Buffer.concat([request.body, Buffer.from(' ')]) }, number.secret),
    ).toThrow();
    expect(() => verified(with_({ 'webhook-id': newId() }), number.secret)).toThrow();
    expect(() => verified(with_({ 'webhook-timestamp': timestamp }), number.secret)).toThrow();
  });

  it('is made with two secrets as soon as a secret is rotated, and each is valid', async () => {
    const api = apiClient(service.baseUrl, { token: seededTokens.owner });
    // Each time, processes have just sent for the number and know its secrets of before.
    const valid = [number.secret];
    for (const body of ['one', 'two', 'three']) {
      await service.sendTexts(number, body);
      await received();
      const request = service.receiver.received(pathOf(number.webhook)).at(-1);
      if (!request) throw new Error('Nothing came');
      expect(String(request.headers['webhook-signature']).split(' ')).toHaveLength(valid.length);
      for (const secret of valid) verified(request, secret);
      valid.push((await api.succeed(rotateSecret, { params: { number: number.id } })).secret);
    }
  });
});

describe('events that are ignored or rejected', () => {
  it.each([
    ['of an unknown field', (id: string) => envelope({ phone_number_id: id }, { a: 1 }, 'account_update')],
    ['of an unknown number', () => envelope({ phone_number_id: '1' }, { messages: [textMessage(canary)] })],
    [
      'without a number',
      () => ({ object: 'whatsapp_business_account', entry: [{ changes: [{ field: 'messages', value: {} }] }] }),
    ],
    ['of no shape at all', () => [canary]],
    ['that says nothing', () => ({})],
  ])('an event %s is accepted with 200 and logged', async (_, body) => {
    const before = service.world.logs.length;
    expect(await service.post(body(number.phone_number_id))).toBe(200);
    expect(await received()).toEqual({ main: [], secondary: [], calls: [] });
    await expect
      .poll(() => service.world.logs.slice(before).join('\n'), soon)
      .toMatch(/"event\.(ignored|no-webhook|unknown-number)"/);
  });

  it('an event that the upstream did not sign is rejected and has no effect', async () => {
    const body = envelope(number, { contacts: [contact], messages: [textMessage(canary)] });
    expect(await service.post(body, 'not the secret')).toBe(401);
    const unsigned = await fetch(`${service.baseUrl}/v2/messaging/events`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    expect(unsigned.status).toBe(401);
    expect(await received()).toEqual({ main: [], secondary: [], calls: [] });
  });

  it('a signed body that is not JSON is rejected', async () => {
    expect(await service.post('{"entry":')).toBe(400);
  });
});

describe('W-27 clocks that differ', () => {
  it.each([
    ['an hour ahead', 3_600],
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
  it('W-17 a number whose receiver never responds does not delay another number', async () => {
    // A world of its own, in which the silent receiver's attempts last until everything else is over.
    const patient = await startDeliveryWorld({ environment: { DELIVERY_TIMEOUT_MS: '25000' } });
    onTestFinished(() => patient.close());
    const dead = await patient.newNumber({ webhook: '/dead' });
    const healthy = await patient.newNumber({ webhook: '/healthy' });
    patient.receiver.script('/dead', ['hang']);
    const texts = Array.from({ length: 30 }, (_, index) => String(index));
    await patient.sendTexts(dead, ...texts);
    await expect.poll(() => patient.receiver.received('/dead'), soon).not.toEqual([]);
    await patient.sendTexts(healthy, ...texts);

    const delivered = await patient.ended(healthy, 30);
    expect(new Set(delivered.map(({ state }) => state))).toEqual(new Set(['delivered']));
    expect(patient.receiver.received('/healthy')).toHaveLength(30);
    const finished = (await patient.deliveries(dead)).flatMap(({ attempts }) => attempts);
    expect(finished, 'attempts at the silent receiver that ended before').toEqual([]);
  });

  it('W-30 a burst over many numbers, one in five of them failing, arrives completely', async () => {
    const numbers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => service.newNumber({ webhook: `/burst/${index}` })),
    );
    const failing = numbers.filter((_, index) => index % 5 === 0);
    for (const [index] of numbers.entries()) {
      if (index % 5 === 0) service.receiver.script(`/burst/${index}`, [{ status: 503 }]);
    }
    const texts = Array.from({ length: 12 }, (_, index) => String(index));
    await Promise.all(numbers.map((number) => service.sendTexts(number, ...texts)));
    for (const [index, number] of numbers.entries()) {
      if (failing.includes(number)) continue;
      await service.ended(number, 12);
      expect(new Set(bodies(`/burst/${index}`)).size).toBe(12);
    }
  });

  const bodies = (path: string) => service.receiver.received(path).map(({ body }) => body.toString());
});
