import { beforeEach, describe, expect, it } from 'vitest';
import { forEachTest } from '#support/for-tests.ts';
import { phoneNumberId, startReceiver, startTestUpstream } from '#support/worlds/simulated-graph.ts';

const contact = '5511988887777';
const path = `/conversations/${phoneNumberId}/${contact}`;

const receiver = forEachTest(() => startReceiver());
const upstream = forEachTest(() => startTestUpstream({ callbackUrl: receiver.url }));

const give = (held_by: string | null) => upstream.control('PUT', path, { held_by });
const send = (message: object) =>
  upstream.graph('POST', `/${phoneNumberId}/messages`, { messaging_product: 'whatsapp', to: contact, ...message });
const write = (from = contact) =>
  upstream.control('POST', '/events', { events: [{ type: 'text', contact: { wa_id: from } }] });

const changes = () => receiver.received.map(({ body }) => JSON.parse(body.toString()).entry[0].changes[0]);
const valuesOf = (field: string) => changes().flatMap((change) => (change.field === field ? [change.value] : []));
const handovers = () => valuesOf('messaging_handovers');

const text = { type: 'text', text: { body: 'A person here' } };
const template = { type: 'template', template: { name: 'hi', language: { code: 'en_US' } } };

describe('a conversation that an agent holds', () => {
  beforeEach(async () => {
    expect((await give('ai_agent')).json.data).toEqual([
      { phone_number_id: phoneNumberId, contact, held_by: 'ai_agent' },
    ]);
  });

  it('brings messages of its contact as standby, and those of others as ever', async () => {
    await write();
    await write('5511900001111');
    const [standby] = valuesOf('standby');
    expect(standby).toMatchObject({
      metadata: { phone_number_id: phoneNumberId },
      standby: { contacts: [{ wa_id: contact }], messages: [{ from: contact, type: 'text' }] },
    });
    expect(standby).not.toHaveProperty('messages');
    expect(valuesOf('messages')).toMatchObject([{ messages: [{ from: '5511900001111' }] }]);
  });

  it('is taken by a message of the app, but not by a template', async () => {
    await send(template);
    expect((await upstream.control('GET', '/conversations')).json.data).toHaveLength(1);
    await send(text);
    expect((await upstream.control('GET', '/conversations')).json.data).toEqual([]);
    await expect.poll(handovers).toMatchObject([
      {
        type: 'control_taken',
        sender: { phone_number: contact },
        recipient: { phone_number_id: phoneNumberId },
        control_taken: {
          previous_owner_role: 'ai_agent',
          new_owner_role: 'escalation',
          metadata: 'Control taken via service message',
        },
      },
    ]);
    await write();
    expect(valuesOf('messages').some(({ messages }) => messages?.[0].from === contact)).toBe(true);
  });

  it('is not taken by a message that fails because the window is closed', async () => {
    await upstream.control('PUT', `/windows/${phoneNumberId}/${contact}`, { open: false });
    await send(text);
    expect((await upstream.control('GET', '/conversations')).json.data).toHaveLength(1);
  });

  it('is passed to the app', async () => {
    await give(null);
    const roles = { previous_owner_role: 'ai_agent', new_owner_role: 'escalation' };
    await expect.poll(handovers).toMatchObject([{ type: 'control_passed', control_passed: roles }]);
  });
});

describe('a conversation that another app takes', () => {
  it('is lost with an event', async () => {
    await give('escalation');
    const roles = { previous_owner_role: 'customer_service', new_owner_role: 'escalation' };
    await expect.poll(handovers).toMatchObject([{ type: 'control_taken', control_taken: roles }]);
    expect(handovers()[0].control_taken).not.toHaveProperty('previous_owner_app_id');
  });
});
