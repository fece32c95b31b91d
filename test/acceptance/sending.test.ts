import { randomInt } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { contract as sendMarketingMessage } from '#functions/messages/send-marketing-message/contract.ts';
import { contract as sendMessage } from '#functions/messages/send-message/contract.ts';
import { contract as updateWebhook } from '#functions/webhooks/update-webhook/contract.ts';
import { seededNumbers } from '#local/seed.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import { errorCodes } from '#shared/domain/upstream/error-codes.ts';
import { messageErrorTexts } from '#shared/http/messages/message-error-texts.ts';
import { type FlowService, startFlowService } from '../../support/flows/flow-service.ts';
import type { CallOptions } from '../../support/http/client.ts';
import { type Receiver, startReceiver } from '../../support/http/receiver.ts';
import { soon } from '../../support/worlds/delivery-world.ts';

let service: FlowService;
let receiver: Receiver;

const [number, , inactive] = seededNumbers as [PhoneNumber, PhoneNumber, PhoneNumber];
const params = { number: number.id };

beforeAll(async () => {
  service = await startFlowService();
  receiver = await startReceiver();
  await service.api.succeed(updateWebhook, { params, body: { webhook: `${receiver.url}/messages` } });
  const { phone_number_id } = number;
  await service.simulate('media', 'POST', { id: '900000000000001', phone_number_id, mime_type: 'application/pdf' });
});
afterEach(() => service.clearFaults());
afterAll(async () => {
  await service.close();
  await receiver.close();
});

const newContact = () => `5511${randomInt(10 ** 8, 10 ** 9)}`;
const group = 'Y2FwaV9ncm91cDoxOTUwNTU1MDA3OToxMjAzNjMzOTQzMjAdOTY0MTUZD';
const textTo = (to: string) => ({ to, type: 'text', text: { body: 'Hello 👋' } });
const send = (body: unknown, options: CallOptions = {}) => service.api.call(sendMessage, { params, body, ...options });

interface SentMessage {
  id: string;
  contact: string;
  type: string;
  content: unknown;
}

const sentTo = async (contact: string) =>
  (await service.simulate<{ data: SentMessage[] }>('messages')).data.filter((message) => message.contact === contact);

const idOf = (body: unknown) => (body as { messages: { id: string }[] }).messages[0]?.id ?? '';

interface Status {
  [member: string]: unknown;
  id: string;
  status: string;
  errors?: { code: number }[];
}

const statusesOf = (id: string) =>
  receiver
    .received('/messages')
    .flatMap(({ body }) => (JSON.parse(body.toString()) as { statuses?: Status[] }).statuses ?? [])
    .filter((status) => status.id === id);

describe('outside the window', () => {
  it('a utility message arrives without a template, and a text does not', async () => {
    const contact = newContact();
    await service.simulate(`windows/${number.phone_number_id}/${contact}`, 'PUT', { open: false });
    const [plain, utility] = [await send(textTo(contact)), await send({ ...textTo(contact), category: 'utility' })];
    await expect.poll(() => statusesOf(idOf(plain.body)), soon).toMatchObject([{ status: 'failed' }]);
    await expect
      .poll(() => statusesOf(idOf(utility.body)), soon)
      .toContainEqual(
        expect.objectContaining({ status: 'delivered', pricing: expect.objectContaining({ category: 'utility' }) }),
      );
  });

  it('a marketing template is sent by its own route', async () => {
    const body = { to: newContact(), type: 'template', template: { name: 'sale', language: { code: 'en_US' } } };
    const sent = await service.api.call(sendMarketingMessage, { params, body });
    expect(sent.status).toBe(200);
    await expect
      .poll(() => statusesOf(idOf(sent.body)), soon)
      .toContainEqual(expect.objectContaining({ pricing: expect.objectContaining({ category: 'marketing_lite' }) }));
  });
});

describe('a message', () => {
  it('is accepted, and its statuses arrive at the webhook', async () => {
    const contact = newContact();
    const { status, body } = await send({ ...textTo(contact), biz_opaque_callback_data: 'order-4711' });
    expect(status).toBe(200);
    expect(body).toEqual({ messages: [{ id: idOf(body) }], contacts: [{ input: contact, wa_id: contact }] });
    expect(await sentTo(contact)).toMatchObject([{ id: idOf(body), type: 'text' }]);
    await expect
      .poll(
        () =>
          statusesOf(idOf(body))
            .map((each) => each.status)
            .sort(),
        soon,
      )
      .toEqual(['delivered', 'sent']);
    expect(statusesOf(idOf(body))[0]).toMatchObject({ biz_opaque_callback_data: 'order-4711' });
  });

  it.each<[string, object]>([
    ['text', { body: 'https://example.com', preview_url: true }],
    ['image', { link: 'https://example.com/a.png', caption: 'A' }],
    ['document', { id: '900000000000001', filename: 'a.pdf' }],
    ['location', { latitude: -23.55, longitude: -46.63, name: 'Here' }],
    ['contacts', [{ name: { formatted_name: 'Ana', first_name: 'Ana' }, phones: [{ phone: '+15550100999' }] }]],
    ['reaction', { message_id: 'wamid.HBgLMTU1NTAxMDA5OTk', emoji: '👍' }],
    ['template', { name: 'hello_world', language: { code: 'en_US' } }],
    [
      'interactive',
      {
        type: 'button',
        body: { text: 'Is this fine?' },
        action: { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }] },
      },
    ],
    [
      'interactive',
      { type: 'request_contact_info', body: { text: 'Your number?' }, action: { name: 'request_contact_info' } },
    ],
    [
      'interactive',
      { type: 'call_permission_request', body: { text: 'May we?' }, action: { name: 'call_permission_request' } },
    ],
  ])('of the type %s is passed through: %j', async (type, content) => {
    const contact = newContact();
    const { status, text } = await send({ to: contact, type, [type]: content });
    expect(status, text).toBe(200);
    expect(await sentTo(contact)).toMatchObject([{ type, content }]);
  });

  it('goes to a user id in recipient, and never to one in to', async () => {
    const userId = `BR.${randomInt(10 ** 12)}`;
    const { to: _, ...message } = textTo('');
    expect((await send({ ...message, recipient: userId })).status).toBe(200);
    const requests = (await service.upstreamRequests()).length;
    const { status, message: said } = await send(textTo(userId));
    expect([status, said]).toEqual([422, expect.stringContaining('Send it in recipient')]);
    expect((await service.upstreamRequests()).length).toBe(requests);
  });

  it.each(['recipient_participant', 'participant_recipient'])(
    'to a group that three people read makes three deliveries, named by %s_id',
    async (group_participant_spelling) => {
      const participants = [newContact(), newContact(), newContact()];
      const settings = { group_participants: participants, group_participant_spelling };
      await service.simulate('sending', 'PATCH', settings);
      const { status, body } = await send({ ...textTo(group), recipient_type: 'group' });
      expect(status).toBe(200);
      await service.simulate('messages/latest/statuses', 'POST', { statuses: ['read'] });
      const readers = () =>
        statusesOf(idOf(body))
          .filter((each) => each.status === 'read')
          .map((each) => [each.status, each[`${group_participant_spelling}_id`]].join(' '));
      const expected = participants.map((participant) => `read ${participant}`);
      await expect.poll(() => readers().toSorted(), soon).toEqual(expected.toSorted());
    },
  );

  it('goes to a phone number as people write it, and the platform gets + and digits', async () => {
    const contact = newContact();
    const written = `+${contact.slice(0, 2)} (${contact.slice(2, 4)}) ${contact.slice(4, 9)}-${contact.slice(9)}`;
    const { status, body } = await send(textTo(written));
    expect(status).toBe(200);
    expect(body).toMatchObject({ contacts: [{ input: `+${contact}`, wa_id: contact }] });
    expect(await sentTo(contact)).toMatchObject([{ id: idOf(body) }]);
  });

  it('that comes too late fails in a status with the reason', async () => {
    const contact = newContact();
    await service.simulate(`windows/${number.phone_number_id}/${contact}`, 'PUT', { open: false });
    const { status, body } = await send(textTo(contact));
    expect(status).toBe(200);
    await expect
      .poll(() => statusesOf(idOf(body)), soon)
      .toMatchObject([{ status: 'failed', errors: [{ code: 131047 }] }]);
  });

  it('is sent for no number that is not active, and for no stranger', async () => {
    const { stranger, member } = service.world.description.tokens;
    const message = textTo(newContact());
    expect((await send(message, { params: { number: inactive.id } })).status).toBe(404);
    expect((await send(message, { token: stranger })).status).toBe(404);
    expect((await send(message, { token: null })).status).toBe(401);
    expect((await send(message, { token: member })).status).toBe(200);
  });

  it('says that it may have been sent if the response was lost, and is not repeated', async () => {
    const contact = newContact();
    await service.fault('send_message', { kind: 'accept_then_reset' });
    const { status, message } = await send(textTo(contact));
    expect([status, message]).toEqual([502, expect.stringContaining('may have been sent')]);
    expect(await sentTo(contact)).toHaveLength(1);
  });
});

describe('an error code of the platform', () => {
  /** The first one of each kind. */
  const oneOfEach = [...new Map(errorCodes.message.toReversed().map((error) => [error.failure, error])).values()];
  it.each(oneOfEach.map((error) => [error.code, error] as const))(
    '%d becomes a status and a sentence to act on',
    async (code, { failure, meaning }) => {
      await service.fault('send_message', { kind: 'error', status: 400, error: { code, message: 'Its own words' } });
      const contact = newContact();
      const { status, message, headers } = await send(textTo(contact), { headers: { 'accept-language': 'es' } });
      const expected = { rejected: 400, 'rate-limited': 429, unavailable: 502 } as const;
      expect(status).toBe(expected[failure as keyof typeof expected]);
      expect(message.startsWith(messageErrorTexts[meaning].es)).toBe(true);
      expect(headers.get('x-upstream-error-code')).toBe(String(code));
      expect(headers.has('retry-after')).toBe(status === 429);
      expect(await sentTo(contact)).toEqual([]);
    },
  );

  it('about our credentials is 502, never the fault of the client', async () => {
    await service.fault('send_message', { kind: 'error', status: 403, error: { code: 131005 } });
    expect((await send(textTo(newContact()))).status).toBe(502);
  });
});

describe('a read receipt', () => {
  it('marks a message as read and shows that the number is typing', async () => {
    const event = { type: 'text', phone_number_id: number.phone_number_id, text: { body: 'Hi' } };
    await service.simulate('events', 'POST', { events: [event] });
    const inbox = async () => (await service.simulate<{ data: { id: string }[] }>('inbox')).data;
    const received = (await inbox()).at(-1);
    const receipt = { status: 'read', message_id: received?.id };
    const { status, text } = await send({ ...receipt, typing_indicator: { type: 'text' } });
    expect([status, text]).toEqual([200, '{"success":true}']);
    expect((await inbox()).find(({ id }) => id === received?.id)).toMatchObject({ read: true, typing: true });
    expect((await send({ ...receipt, message_id: 'wamid.unknown' })).status).toBe(400);
  });
});

describe('an Idempotency-Key', () => {
  const keyed = () => ({ headers: { 'idempotency-key': `key-${randomInt(10 ** 12)}` } });

  it('makes a repeated message one message', async () => {
    const [contact, options] = [newContact(), keyed()];
    const first = await send(textTo(contact), options);
    const second = await send(textTo(contact), options);
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect((await send(textTo(newContact()), options)).status).toBe(422);
    expect(await sentTo(contact)).toHaveLength(1);
  });

  it('lets one of twenty requests at the same time send', async () => {
    const [contact, options] = [newContact(), keyed()];
    const replies = await Promise.all(Array.from({ length: 20 }, () => send(textTo(contact), options)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses).toContain(200);
    expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(await sentTo(contact)).toHaveLength(1);
  });

  it('an Idempotency-Key belongs to one user', async () => {
    const [contact, options] = [newContact(), keyed()];
    const { owner, member } = service.world.description.tokens;
    const replies = await Promise.all([owner, member].map((token) => send(textTo(contact), { ...options, token })));
    expect(new Set(replies.map(({ body }) => idOf(body))).size).toBe(2);
    expect(await sentTo(contact)).toHaveLength(2);
  });

  it('gives the response to a client that lost the connection', async () => {
    const [contact, options] = [newContact(), keyed()];
    await service.fault('send_message', { kind: 'slow', ms: 300 });
    const arrived = (await service.upstreamRequests()).length;
    const connection = new AbortController();
    const lost = fetch(`${service.baseUrl}/v2/messaging/numbers/${number.id}/messages`, {
      method: 'POST',
      headers: {
        ...options.headers,
        authorization: `Bearer ${service.world.description.tokens.owner}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(textTo(contact)),
      signal: connection.signal,
    });
    await expect.poll(async () => (await service.upstreamRequests()).length, soon).toBeGreaterThan(arrived);
    connection.abort();
    await expect(lost).rejects.toThrow();
    await expect.poll(() => send(textTo(contact), options).then(({ status }) => status), soon).toBe(200);
    const messages = await sentTo(contact);
    expect(messages.map(({ id }) => id)).toEqual([idOf((await send(textTo(contact), options)).body)]);
  });

  it('never sends again what may have been sent', async () => {
    const [contact, options] = [newContact(), keyed()];
    await service.fault('send_message', { kind: 'accept_then_reset' });
    const first = await send(textTo(contact), options);
    const second = await send(textTo(contact), options);
    expect([first.status, second.status]).toEqual([502, 504]);
    expect(second.message).toContain('not repeated');
    expect(await sentTo(contact)).toHaveLength(1);
  });

  it('is free after a message that the platform did not take', async () => {
    const [contact, options] = [newContact(), keyed()];
    await service.fault('send_message', { kind: 'error', status: 429, error: { code: 130429 } });
    expect((await send(textTo(contact), options)).status).toBe(429);
    expect((await send(textTo(contact), options)).status).toBe(200);
    expect(await sentTo(contact)).toHaveLength(1);
  });
});
