import { describe, expect, it } from 'vitest';
import { isHubSigned } from '#shared/accounts/event-signature.ts';
import { splitEvents } from '#shared/ingestion/events.ts';
import { forAllTests } from '#support/for-tests.ts';
import { appSecret, phoneNumberId, startReceiver, startTestUpstream, wabaId } from '#support/worlds/simulated-graph.ts';
import { eventTypes, samplesByKind } from './events.ts';
import { fieldSamples } from './field-samples.ts';

const receiver = forAllTests(() => startReceiver());
const upstream = forAllTests(() => startTestUpstream({ callbackUrl: receiver.url }));

/** Sends one event and returns what the receiver got, once by the eye and once as the service reads it. */
async function send(event: Record<string, unknown>) {
  const { status, json } = await upstream.control('POST', '/events', { events: [event] });
  expect(status).toBe(200);
  const [sent] = json.data;
  expect(sent.attempts).toEqual([{ at: expect.any(String), status: 200, answer: 'received' }]);
  const webhook = receiver.received.find(
    ({ body }) => JSON.stringify(JSON.parse(body.toString())) === JSON.stringify(sent.body),
  );
  if (webhook === undefined) throw new Error('The receiver did not get what was sent');
  const [change] = sent.body.entry[0].changes;
  return { webhook, change, body: sent.body, events: splitEvents(sent.body, Date.now()) };
}

const kindOfType = (type: string) => Object.entries(samplesByKind).find(([, samples]) => type in samples)?.[0];
const ofOtherFields = Object.keys(fieldSamples) as (keyof typeof fieldSamples)[];
const ofKnownKinds = eventTypes.filter((type) => type !== 'field' && !(type in fieldSamples));

describe('every event', () => {
  it.each(ofKnownKinds)('%s is signed over its bytes, in ASCII, and is an event for the service', async (type) => {
    const { webhook, events } = await send({ type, phone_number_id: phoneNumberId });
    const { headers, body } = webhook;
    expect(isHubSigned(String(headers['x-hub-signature-256']), body, appSecret)).toBe(true);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'facebookexternalua' });
    expect(body.every((byte) => byte < 0x80)).toBe(true);
    // What concerns a Flow goes to the webhook of the workspace, too.
    const isOfFlow = kindOfType(type) === 'flow';
    expect(events).toMatchObject([{ kind: kindOfType(type) }, ...(isOfFlow ? [{ kind: 'field' }] : [])]);
  });
});

describe('an event of another field', () => {
  it.each(ofOtherFields)('%s has the name of its field and a value that can be replaced', async (type) => {
    const { webhook, change } = await send({ type, phone_number_id: phoneNumberId, extra: 'é', removed: null });
    expect(change.field).toBe(fieldSamples[type].field);
    expect(Object.keys(change.value).length).toBeGreaterThan(1);
    expect(change.value.extra).toBe('é');
    expect(webhook.body.every((byte) => byte < 0x80)).toBe(true);
  });
});

describe('a message', () => {
  it('a message has the upstream envelope', async () => {
    const { body } = await send({ type: 'text', phone_number_id: phoneNumberId });
    expect(body).toEqual({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: wabaId,
          changes: [
            {
              field: 'messages',
              value: {
                messaging_product: 'whatsapp',
                metadata: { display_phone_number: '15550783881', phone_number_id: phoneNumberId },
                contacts: [{ profile: { name: 'Sample Customer' }, wa_id: '16505551234' }],
                messages: [
                  {
                    from: '16505551234',
                    id: expect.stringMatching(/^wamid\./),
                    timestamp: expect.stringMatching(/^\d{10}$/),
                    type: 'text',
                    text: { body: expect.any(String) },
                  },
                ],
              },
            },
          ],
        },
      ],
    });
  });

  it('can override members, and loses those that are null', async () => {
    const context = { from: '15550783881', id: 'wamid.0' };
    const { change } = await send({ type: 'text', id: 'wamid.1', timestamp: null, context, text: { body: 'b' } });
    expect(change.value.messages).toEqual([
      { from: '16505551234', id: 'wamid.1', type: 'text', text: { body: 'b' }, context },
    ]);
  });

  it('contains no contact if it comes from the system', async () => {
    const { change, events } = await send({ type: 'system' });
    expect(change.value).not.toHaveProperty('contacts');
    expect(events).toMatchObject([{ kind: 'message', notification: { contacts: [{ wa_id: '16505551234' }] } }]);
  });
});

describe('a user known by username only', () => {
  const contact = { profile: { name: 'Ana', username: 'ana' }, user_id: 'BR.13491208655302741918' };

  it.each([
    ['text', 'messages', { from_user_id: contact.user_id }, 'from'],
    ['delivered', 'statuses', { recipient_user_id: contact.user_id }, 'recipient_id'],
    ['call_connect', 'calls', { from_user_id: contact.user_id }, 'from'],
    ['call_ringing', 'statuses', { recipient_user_id: contact.user_id }, 'recipient_id'],
  ])('%s contains no phone number', async (type, list, named, absent) => {
    const { change, events } = await send({ type, contact });
    const [item] = change.value[list];
    expect(item).toMatchObject(named);
    expect(item).not.toHaveProperty(absent);
    expect(events).toMatchObject([{ kind: kindOfType(type) }]);
  });
});

describe('a status', () => {
  it('contains its contact, unless it failed', async () => {
    expect((await send({ type: 'read' })).change.value).toHaveProperty('contacts');
    const { value } = (await send({ type: 'failed', id: 'wamid.1' })).change;
    expect(value).not.toHaveProperty('contacts');
    expect(value.statuses).toMatchObject([{ id: 'wamid.1', status: 'failed', errors: [{ code: 131026 }] }]);
  });
});

describe('the status of a Flow', () => {
  const changes = (id: string) =>
    receiver.received
      .flatMap(({ body }) => JSON.parse(body.toString()).entry[0].changes)
      .filter(({ field, value }) => field === 'flows' && value.flow_id === id)
      .map(({ value }) => [value.event, value.old_status, value.new_status]);

  it('is sent whenever it changes, in order, and only then', async () => {
    const id = await upstream.createFlowIn('THROTTLED');
    await upstream.control('POST', `/flows/${id}/status`, { status: 'THROTTLED' });
    await upstream.control('POST', `/flows/${id}/status`, { status: 'PUBLISHED' });
    await upstream.graph('POST', `/${id}`, { name: 'another' });
    await upstream.graph('POST', `/${id}`, { name: 'and another' });
    await upstream.graph('POST', `/${id}/publish`);
    await upstream.graph('POST', `/${id}/deprecate`);
    await expect
      .poll(() => changes(id))
      .toEqual([
        ['FLOW_STATUS_CHANGE', undefined, 'DRAFT'],
        ['FLOW_STATUS_CHANGE', 'DRAFT', 'PUBLISHED'],
        ['FLOW_STATUS_CHANGE', 'PUBLISHED', 'THROTTLED'],
        ['FLOW_STATUS_CHANGE', 'THROTTLED', 'PUBLISHED'],
        ['FLOW_STATUS_CHANGE', 'PUBLISHED', 'DRAFT'],
        ['FLOW_STATUS_CHANGE', 'DRAFT', 'PUBLISHED'],
        ['FLOW_STATUS_CHANGE', 'PUBLISHED', 'DEPRECATED'],
      ]);
  });
});
