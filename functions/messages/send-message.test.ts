import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { keys } from '#shared/aws/keys.ts';
import { newId } from '#shared/base/ids.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { logOfEachTest } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { failing, silence } from '#support/worlds/call-world.ts';
import { messageRejection, startMessageWorld } from '#support/worlds/message-world.ts';
import { sendMessage as contract } from './contracts.ts';
import { makeHandler } from './send-message.ts';

const log = logOfEachTest();

const operation = { contract, makeHandler };
const contact = '15550100999';
const userId = 'BR.13491208655302741918';
const text = { to: contact, type: 'text', text: { body: 'Hello 👋' } };

const world = forAllTests(() => startMessageWorld());
beforeEach(() => world.reset());

const send = async (body: unknown, headers = {}) => world.call(operation, await world.newNumber(), { body, headers });

describe('send-message', () => {
  it('sends the unchanged body and returns the id of the message', async () => {
    const number = await world.newNumber();
    const { status, json } = await world.call(operation, number, { body: text });
    expect(status).toBe(200);
    expect(json).toEqual({
      messages: [{ id: 'wamid.HBgLMTU1NTAxMDA5OTk', message_status: 'accepted' }],
      contacts: [{ input: contact, wa_id: contact }],
    });
    expect(world.requests).toEqual([
      {
        method: 'POST',
        path: `${number.phone_number_id}/messages`,
        json: { ...text, messaging_product: 'whatsapp' },
      },
    ]);
  });

  it.each<[string, object]>([
    ['media by link', { type: 'image', image: { link: 'https://example.com/a.png', caption: 'A' } }],
    ['a template', { type: 'template', template: { name: 'hello', language: { code: 'pt_BR' }, components: [] } }],
    ['a reaction', { type: 'reaction', reaction: { message_id: 'wamid.1', emoji: '' } }],
    ['a type that does not exist yet', { type: 'hologram', hologram: { depth: [1, { more: null }] }, priority: 'x' }],
    ['a context and data of the client', { type: 'text', context: { message_id: 'w' }, biz_opaque_callback_data: 'o' }],
    ['a member flow of another type', { type: 'order_flow', flow: { x: 1 } }],
    ['a recipient type', { type: 'text', recipient_type: 'individual' }],
    ['a category', { type: 'text', category: 'utility' }],
    ['a group', { type: 'text', to: 'Y2FwaV9ncm91cDoxOTU1MDEwMA==', recipient_type: 'group' }],
  ])('send-message passes through %s', async (_, members) => {
    expect((await send({ ...text, ...members })).status).toBe(200);
    expect(world.requests[0]?.json).toEqual({ ...text, ...members, messaging_product: 'whatsapp' });
  });

  it('does not pass through what names a Flow of another workspace', async () => {
    const { table } = world;
    const Item = { ...keys.upstreamFlow('4411223344556677'), workspace: newId(), flow: newId() };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
    const interactive = { type: 'flow', action: { name: 'flow', parameters: { flow_id: '4411223344556677' } } };
    await send({ to: contact, type: 'interactive', interactive });
    expect(world.requests[0]?.json).toMatchObject({ interactive: { action: { parameters: { flow_id: '1' } } } });
  });

  it('rejects a category that the platform does not have', async () => {
    const { status, json } = await send({ ...text, category: 'marketing' });
    expect({ status, fields: Object.keys(json.errors) }).toEqual({ status: 422, fields: ['category'] });
  });

  it.each(['held_for_quality_assessment', 'paused'])('says that a message is %s', async (message_status) => {
    const messages = [{ id: 'wamid.1', message_status }];
    world.graph = () => ({ messaging_product: 'whatsapp', contacts: [{ input: contact, wa_id: contact }], messages });
    const { status, json } = await send(text);
    expect({ status, messages: json.messages }).toEqual({ status: 200, messages });
  });

  it('counts characters, of which an emoji is one', async () => {
    expect((await send({ ...text, biz_opaque_callback_data: '👋'.repeat(512) })).status).toBe(200);
    expect((await send({ ...text, biz_opaque_callback_data: '👋'.repeat(513) })).status).toBe(422);
  });

  it('keeps the digits of numbers', async () => {
    const location = '{"latitude":-23.550520000000000001,"longitude":1.0}';
    const number = await world.newNumber();
    const body = `{"to":"${contact}","type":"location","location":${location}}`;
    await world.call(operation, number, { body, headers: { 'content-type': 'application/json' } });
    expect(JSON.stringify(world.requests[0]?.json)).toContain(location);
  });

  it.each(['+1 (555) 010-0999', '+15550100999', '1-555-010-0999'])('sends to %s as + and digits', async (to) => {
    expect((await send({ ...text, to })).status).toBe(200);
    expect(world.requests[0]?.json).toMatchObject({ to: `+${contact}` });
  });

  it('leaves the id of a group as it is, even if it looks like a phone number', async () => {
    const to = '15550100999-1418023';
    expect((await send({ ...text, to, recipient_type: 'group' })).status).toBe(200);
    expect(world.requests[0]?.json).toMatchObject({ to });
  });

  it('sends to a user id in recipient, and to both if both are given', async () => {
    const { to: _, ...message } = text;
    expect((await send({ ...message, recipient: userId })).status).toBe(200);
    expect((await send({ ...text, recipient: userId })).status).toBe(200);
    expect(world.requests.map(({ json }) => json)).toEqual([
      { ...message, recipient: userId, messaging_product: 'whatsapp' },
      { ...text, recipient: userId, messaging_product: 'whatsapp' },
    ]);
  });

  it.each<[string, object, string, RegExp]>([
    ['a user id in to', { to: userId }, 'to', /drop the message\. Send it in recipient/],
    ['a parent user id in to', { to: 'US.ENT.506847293015824', recipient_type: 'group' }, 'to', /in recipient/],
    ['no recipient', { to: undefined }, 'to', /required when recipient is absent/],
    ['an empty to', { to: '' }, 'to', /required/],
    ['a group without an id', { to: ' ', recipient_type: 'group' }, 'to', /id of a group/],
    ['a group with a line break', { to: 'Y2Fw\r\nx: y', recipient_type: 'group' }, 'to', /visible ASCII/],
    ['a group that is too long', { to: 'x'.repeat(513), recipient_type: 'group' }, 'to', /512/],
    ['a phone number in recipient', { recipient: contact }, 'recipient', /user id/],
    ['no type', { type: undefined }, 'type', /required/],
    ['a recipient beside a read receipt', { status: 'read', message_id: 'w', type: undefined }, 'to', /two requests/],
  ])('send-message rejects %s', async (_, members, field, message) => {
    const { status, json } = await send({ ...text, ...members });
    expect(status).toBe(422);
    expect(json.errors).toEqual({ [field]: [expect.stringMatching(message)] });
    expect(world.requests).toEqual([]);
  });

  it.each([
    [messageRejection(131047), 400, /24 hours/],
    [messageRejection(131056, 400), 429, /too many messages/],
    [messageRejection(131000, 500), 502, /Send it again/],
    [messageRejection(190, 401), 502, /credentials/],
    [messageRejection(999999), 400, /^As Graph says it$/],
    [silence(), 504, /may have been sent.* with a new Idempotency-Key/],
    [new UpstreamError('unavailable', 'Status 503'), 502, /may have been sent/],
    [new UpstreamError('unreachable', 'Not reachable'), 502, /Nothing was changed/],
  ])('tries once and reports the outcome: %s is %i', async (error, status, message) => {
    world.graph = failing(error);
    const answer = await send(text);
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual({ message: expect.stringMatching(message) });
    expect(world.requests).toHaveLength(1);
    if (status === 429) expect(answer.headers).toHaveProperty('retry-after');
  });

  it('does not know the outcome of a response without a message', async () => {
    world.graph = () => ({ messaging_product: 'whatsapp', messages: [] });
    expect((await send(text)).status).toBe(502);
  });

  it('logs nothing of the message', async () => {
    const number = await world.newNumber();
    await world.call(operation, number, { body: { ...text, recipient: userId } });
    expect(log).toEqual([expect.objectContaining({ event: 'request', operation: 'send-message', number: number.id })]);
    expect(JSON.stringify(log)).not.toMatch(new RegExp(`${contact}|${userId}|wamid|Hello`));
  });
});

describe('a message with an Idempotency-Key', () => {
  const keyed = { 'idempotency-key': 'order-4711' };

  it('is the same with the recipient in another form', async () => {
    const number = await world.newNumber();
    const sendTo = (to: string) => world.call(operation, number, { body: { ...text, to }, headers: keyed });
    expect((await sendTo('+1 (555) 010-0999')).status).toBe(200);
    expect((await sendTo(`+${contact}`)).headers).toMatchObject({ 'idempotency-replayed': 'true' });
    expect((await sendTo(contact)).status, 'for the platform, bare digits are something else').toBe(422);
  });

  it('is never sent again if it is unknown whether it was sent', async () => {
    const number = await world.newNumber();
    world.graph = failing(silence());
    const first = await world.call(operation, number, { body: text, headers: keyed });
    world.graph = () => ({ messages: [{ id: 'wamid.2' }] });
    const second = await world.call(operation, number, { body: text, headers: keyed });
    expect([first.status, second.status]).toEqual([504, 504]);
    expect(world.requests).toHaveLength(1);
  });
});

describe('a read receipt', () => {
  const receipt = { status: 'read', message_id: 'wamid.1' };

  it.each([[receipt], [{ ...receipt, typing_indicator: { type: 'text' } }]])(
    'a read receipt is passed through: %j',
    async (body) => {
      world.graph = () => ({ success: true });
      const { status, text } = await send(body);
      expect(status).toBe(200);
      expect(text).toBe('{"success":true}');
      expect(world.requests[0]?.json).toEqual({ ...body, messaging_product: 'whatsapp' });
    },
  );

  it.each([
    ['message_id', { message_id: undefined }],
    ['message_id', { message_id: '' }],
    ['status', { status: 'delivered' }],
    ['typing_indicator', { typing_indicator: 'text' }],
  ])('a read receipt needs a valid %s', async (field, members) => {
    const { status, json } = await send({ ...receipt, ...members });
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual([field]);
  });

  it('that the platform does not accept is an error', async () => {
    world.graph = () => ({ success: false });
    expect((await send(receipt)).status).toBe(400);
  });
});
