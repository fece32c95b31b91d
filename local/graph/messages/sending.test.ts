import { describe, expect, it, vi } from 'vitest';
import { forAllTests } from '#support/for-tests.ts';
import { phoneNumberId, startReceiver, startTestUpstream } from '#support/worlds/simulated-graph.ts';

const contact = '5511988887777';
const userId = 'BR.13491208655302741918';
const text = { type: 'text', text: { body: 'Olá 👋' } };

let time = Date.parse('2026-11-01T12:00:00Z');
const receiver = forAllTests(() => startReceiver());
const upstream = forAllTests(() => startTestUpstream({ callbackUrl: receiver.url, now: () => time }));
const send = (body: Record<string, unknown>, number = phoneNumberId) =>
  upstream.graph('POST', `/${number}/messages`, { messaging_product: 'whatsapp', to: contact, ...body });
const idOf = async (answer: ReturnType<typeof send>) => (await answer).json.messages[0].id as string;
const interactive = (type: string, rest: Record<string, unknown>) =>
  send({ type: 'interactive', interactive: { type, body: { text: 'Pick' }, ...rest } });

/** The values of the webhooks about a message, once there are as many as expected. */
async function statusesOf(id: string, count: number) {
  const found = () => receiver.values().filter(({ statuses }) => statuses?.[0].id === id);
  await vi.waitFor(() => expect(found()).toHaveLength(count));
  return found();
}

describe('a message', () => {
  it('is accepted, and announced as sent and delivered', async () => {
    const { status, json } = await send({ ...text, biz_opaque_callback_data: 'order 7' });
    expect(status).toBe(200);
    expect(json).toEqual({
      messaging_product: 'whatsapp',
      contacts: [{ input: contact, wa_id: contact }],
      messages: [{ id: expect.stringMatching(/^wamid\./) }],
    });
    const { id } = json.messages[0];
    const values = await statusesOf(id, 2);
    expect(values.map(({ statuses }) => statuses[0])).toEqual(
      ['sent', 'delivered'].map((status) => ({
        id,
        status,
        timestamp: String(time / 1000),
        recipient_id: contact,
        biz_opaque_callback_data: 'order 7',
        pricing: { billable: false, pricing_model: 'PMP', type: 'free_customer_service', category: 'service' },
      })),
    );
    expect(values[0].contacts).toEqual([{ profile: { name: 'Sample Customer' }, wa_id: contact }]);
    expect(values[0].metadata.phone_number_id).toBe(phoneNumberId);
    expect((await upstream.control('GET', '/messages/latest')).json).toMatchObject({ id, contact, type: 'text' });
  });

  it('goes to a user id in recipient', async () => {
    const { json } = await send({ ...text, to: undefined, recipient: userId });
    expect(json.contacts).toEqual([{ input: userId, user_id: userId }]);
    const [value] = await statusesOf(json.messages[0].id, 2);
    expect(value.statuses[0]).toMatchObject({ recipient_user_id: userId });
    expect(value.statuses[0]).not.toHaveProperty('recipient_id');
  });

  it('with a user id in to is accepted and goes nowhere', async () => {
    const { status, json } = await send({ ...text, to: userId });
    expect([status, json.contacts]).toEqual([200, [{ input: userId }]]);
    expect((await upstream.control('GET', `/messages/${json.messages[0].id}`)).status).toBe(404);
  });

  it('a message goes to a group', async () => {
    const group = 'Y2FwaV9ncm91cDoxNzA1NTU1MDEzOToxMjAzNjM0MDQ2OTQyMzM4MjAZD';
    const { json } = await send({ ...text, to: group, recipient_type: 'group' });
    expect(json.messages).toEqual([{ id: expect.stringMatching(/^wamid/), group_id: group }]);
    expect(json.contacts).toEqual([{ input: group, wa_id: group }]);
    const [sent, delivered] = await statusesOf(json.messages[0].id, 2);
    expect(sent.statuses).toEqual([expect.objectContaining({ recipient_id: group, recipient_type: 'group' })]);
    expect(sent.statuses[0]).not.toHaveProperty('recipient_participant_id');
    expect(delivered).not.toHaveProperty('contacts');
    expect(delivered.statuses).toEqual(
      ['16505551234', '16505551235'].map((recipient_participant_id) =>
        expect.objectContaining({ recipient_id: group, recipient_type: 'group', recipient_participant_id }),
      ),
    );
  });

  it('to a group has a status for each participant, by user id if the phone number is hidden', async () => {
    await upstream.control('PATCH', '/sending', {
      group_participants: [contact, userId],
      group_participant_spelling: 'participant_recipient',
    });
    const id = await idOf(send({ ...text, to: 'Y2FwaV9ncm91cDox', recipient_type: 'group' }));
    await upstream.control('POST', `/messages/${encodeURIComponent(id)}/statuses`, { statuses: ['read'] });
    const read = (await statusesOf(id, 3)).find(({ statuses }) => statuses[0].status === 'read');
    expect(read.statuses).toEqual([
      expect.objectContaining({ status: 'read', participant_recipient_id: contact }),
      expect.objectContaining({ status: 'read', participant_recipient_user_id: userId }),
    ]);
    await upstream.control('PATCH', '/sending', {
      group_participants: [contact],
      group_participant_spelling: 'recipient_participant',
    });
  });

  it('that is a template is said to be accepted', async () => {
    const { json } = await send({ type: 'template', template: { name: 'hi', language: { code: 'pt_BR' } } });
    expect(json.messages[0].message_status).toBe('accepted');
  });
});

describe('a message is rejected', () => {
  it.each<[string, Record<string, unknown>, number, RegExp]>([
    ['without a product', { ...text, messaging_product: undefined }, 100, /messaging_product/],
    ['without a recipient', { ...text, to: undefined }, 100, /to is required/],
    ['to what is not a phone number', { ...text, to: 'Ana' }, 131009, /to has to be/],
    ['to the sender', { ...text, to: '+1 555-078-3881' }, 131021, /same/],
    ['with a phone number as recipient', { ...text, to: undefined, recipient: contact }, 131009, /recipient/],
    ['of an unknown type', { type: 'poll' }, 100, /must be one of/],
    ['without its member', { type: 'text' }, 100, /text is required/],
    ['with a context without an id', { ...text, context: {} }, 100, /context\['message_id'\] is required/],
    ['to a group that is a phone number', { ...text, recipient_type: 'group' }, 131009, /id of a group/],
    ['with callback data that is too long', { ...text, biz_opaque_callback_data: 'x'.repeat(513) }, 131009, /512/],
  ])('%s', async (_, message, code, details) => {
    const { status, json } = await send(message);
    expect([status, json.error.code]).toEqual([400, code]);
    expect(json.error.error_data?.details ?? json.error.message).toMatch(details);
  });
});

describe('media in a message', () => {
  const upload = async (type: string, number = phoneNumberId) => {
    const form = new FormData();
    form.set('messaging_product', 'whatsapp');
    form.set('file', new Blob(['bytes'], { type }), 'file');
    return upstream.graph('POST', `/${number}/media`, form);
  };
  const image = (id: string) => ({ type: 'image', image: { id } });

  it('may be a file that the business has uploaded, for 30 days', async () => {
    const { status, json } = await upload('image/png');
    expect([status, json]).toEqual([200, { id: expect.stringMatching(/^\d+$/) }]);
    expect((await upstream.control('GET', `/media/${json.id}`)).json).toMatchObject({
      mime_type: 'image/png',
      size: 5,
    });
    time += 30 * 24 * 3_600_000 - 1;
    expect((await send(image(json.id))).status).toBe(200);
    time += 1;
    expect((await send(image(json.id))).json.error.code).toBe(100);
  });

  it('may be a file that a contact has sent, for seven days', async () => {
    await upstream.control('POST', '/media', { id: 'm1' });
    expect((await send(image('m1'))).status).toBe(200);
    time += 7 * 24 * 3_600_000;
    expect((await send(image('m1'))).status).toBe(400);
  });
});

describe('the statuses of a message', () => {
  it('the statuses of a message may be added later', async () => {
    const id = await idOf(send(text));
    await statusesOf(id, 2);
    await upstream.control('POST', '/messages/latest/statuses', {
      statuses: ['read', { status: 'failed', code: 131049, after_ms: 5 }],
    });
    const [, , read, failed] = await statusesOf(id, 4);
    expect(read.statuses[0]).toMatchObject({ status: 'read', recipient_id: contact });
    expect(failed).not.toHaveProperty('contacts');
    expect(failed.statuses[0]).toMatchObject({ status: 'failed', errors: [{ code: 131049 }] });
    expect((await upstream.control('GET', `/messages/${encodeURIComponent(id)}`)).json.statuses).toHaveLength(4);
  });
});

describe('the 24-hour window', () => {
  const person = '5511922223333';
  const close = () => upstream.control('PUT', `/windows/${phoneNumberId}/${person}`, { open: false });
  const firstStatus = async (message: Record<string, unknown>) => {
    const id = await idOf(send({ to: person, ...message }));
    const { json } = await vi.waitFor(async () => {
      const found = await upstream.control('GET', `/messages/${encodeURIComponent(id)}`);
      expect(found.json.statuses).not.toEqual([]);
      return found;
    });
    return json.statuses[0];
  };

  it('is open until someone closes it; then messages fail and templates pass', async () => {
    expect(await firstStatus(text)).toMatchObject({ status: 'sent' });
    await close();
    expect(await firstStatus(text)).toMatchObject({ status: 'failed', code: 131047 });
    const template = { type: 'template', template: { name: 'hi', language: { code: 'en' } } };
    expect(await firstStatus(template)).toMatchObject({ status: 'sent' });
  });

  it('opens for a day when the contact writes', async () => {
    await close();
    await upstream.control('POST', '/events', { events: [{ type: 'text', contact: { wa_id: person } }] });
    expect(await firstStatus(text)).toMatchObject({ status: 'sent' });
    time += 24 * 3_600_000;
    expect(await firstStatus(text)).toMatchObject({ status: 'failed', code: 131047 });
  });

  it('is closed for people who never wrote if the world is set so', async () => {
    await upstream.control('PATCH', '/sending', { windows: 'closed' });
    const id = await idOf(send({ ...text, to: '5511944445555' }));
    expect((await statusesOf(id, 1))[0].statuses[0].errors[0].code).toBe(131047);
    await upstream.control('PATCH', '/sending', { windows: 'open' });
  });
});

describe('a Flow message', () => {
  const flowMessage = (parameters: Record<string, unknown>) =>
    interactive('flow', {
      action: { name: 'flow', parameters: { flow_message_version: '3', flow_cta: 'Book', ...parameters } },
    });
  const codeFor = async (parameters: Record<string, unknown>) => {
    const { status, json } = await flowMessage(parameters);
    return status === 200 ? 200 : json.error.code;
  };

  it.each([
    ['PUBLISHED', undefined, 200],
    ['DRAFT', 'draft', 200],
    ['DRAFT', undefined, 131009],
    ['DEPRECATED', undefined, 131009],
    ['THROTTLED', undefined, 200],
    ['BLOCKED', undefined, 132068],
  ])('of a Flow that is %s, with the mode %s: %i', async (status, mode, code) => {
    expect(await codeFor({ flow_id: await upstream.createFlowIn(status), mode })).toBe(code);
  });

  it.each([
    [{ flow_id: '1', flow_name: 'both' }, /either flow_id or flow_name/],
    [{ flow_id: '1', flow_cta: 'x'.repeat(31) }, /at most 30/],
    [{ flow_id: '1', flow_action_payload: { screen: 'A', data: {} } }, /\['data'\] is empty/],
    [{ flow_id: '1', flow_action: 'data_exchange', flow_action_payload: { screen: 'A' } }, /navigate only/],
  ])('a Flow message is rejected with %j', async (parameters, details) => {
    const { json } = await flowMessage(parameters);
    expect(json.error.code).toBe(131009);
    expect(json.error.error_data.details).toMatch(details);
  });
});

describe('a request for the phone number', () => {
  it('is answered by the contact', async () => {
    const id = await idOf(interactive('request_contact_info', { action: { name: 'request_contact_info' } }));
    expect((await upstream.control('POST', '/messages/latest/share-contact')).status).toBe(200);
    const reply = await vi.waitFor(() => {
      const values = receiver.values();
      const found = values.find(({ messages }) => messages?.[0].context?.id === id);
      expect(found).toBeDefined();
      return found.messages[0];
    });
    expect(reply).toMatchObject({
      from: contact,
      type: 'contacts',
      contacts: [{ origin: 'contact_request', phones: [{ wa_id: contact }] }],
    });
  });
});

describe('marking as read', () => {
  const mark = (message_id: string, rest: Record<string, unknown> = {}) =>
    upstream.graph('POST', `/${phoneNumberId}/messages`, {
      messaging_product: 'whatsapp',
      status: 'read',
      message_id,
      ...rest,
    });

  it('is possible for a message that the number received, with a sign of typing', async () => {
    await upstream.control('POST', '/events', { events: [{ type: 'text', contact: { wa_id: contact } }] });
    const [received] = (await upstream.control('GET', '/inbox')).json.data;
    expect(received).toMatchObject({ contact, type: 'text', read: false });
    expect((await mark(received.id, { typing_indicator: { type: 'text' } })).json).toEqual({ success: true });
    expect((await upstream.control('GET', '/inbox')).json.data[0]).toMatchObject({ read: true, typing: true });
  });

  it('is rejected for any other message', async () => {
    expect((await mark('wamid.unknown')).json.error.code).toBe(131009);
    expect((await mark(await idOf(send(text)))).json.error.code).toBe(131009);
  });
});
