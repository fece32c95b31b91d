import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createFlow, publishFlow, updateFlowJson } from '#functions/flows/contracts.ts';
import {
  getWorkspaceDelivery,
  listWorkspaceDeliveries,
  replayWorkspaceDelivery,
  rotateWorkspaceWebhookSecret as rotateSecret,
  updateWorkspaceWebhook,
} from '#functions/webhooks/contracts.ts';
import { eventTypes } from '#local/graph/events/events.ts';
import { seededNumbers, seededTokens, seededWorkspaces } from '#local/seed.ts';
import { targetStore } from '#shared/webhooks/target-store.ts';
import { publishableFlow } from '#support/publishable-flow.ts';
import { apiClient } from '../../support/http/client.ts';
import { type Received, verified } from '../../support/http/receiver.ts';
import {
  type DeliveryWorld,
  envelope,
  expectCleanLog,
  soon,
  startDeliveryWorld,
  textMessage,
} from '../../support/worlds/delivery-world.ts';

/** The fields of Meta's page "Webhooks reference" and of later pages that belong to no webhook of a number. */
const platformFields = [
  'account_alerts',
  'account_review_update',
  'account_settings_update',
  'account_update',
  'automatic_events',
  'business_capability_update',
  'business_username_updates',
  'flows',
  'group_lifecycle_update',
  'group_participants_update',
  'group_settings_update',
  'group_status_update',
  'history',
  'message_template_components_update',
  'message_template_quality_update',
  'message_template_status_update',
  'messaging_handovers',
  'partner_solutions',
  'payment_configuration_update',
  'phone_number_name_update',
  'phone_number_quality_update',
  'security',
  'smb_app_state_sync',
  'smb_message_echoes',
  'standby',
  'template_category_update',
  'user_preferences',
];

const workspace = String(seededWorkspaces[0]?.id);
const account = String(seededWorkspaces[0]?.waba_id);
const [number] = seededNumbers;

let service: DeliveryWorld;
let api: ReturnType<typeof apiClient>;
let secret: string;

beforeAll(async () => {
  service = await startDeliveryWorld();
  api = apiClient(service.baseUrl, { token: seededTokens.owner, params: { workspace } });
  await api.call(updateWorkspaceWebhook, { body: { webhook: `${service.receiver.url}/workspace` } });
  ({ secret } = (await api.call(rotateSecret)).body as { secret: string });
});
afterAll(async () => {
  expectCleanLog(service.world);
  await service.close();
});

const received = (path = '/workspace') => service.receiver.received(path);
const bodies = () => received().map(({ body }) => JSON.parse(String(body)));

/** The first notification of the workspace that has these members. */
const arrived = (members: object) =>
  vi.waitFor(() => {
    const found = received().find(({ body }) => isLike(JSON.parse(String(body)), members));
    if (!found) throw new Error(`Nothing like ${JSON.stringify(members)} has arrived`);
    return found;
  }, soon);

function isLike(body: object, members: object): boolean {
  try {
    expect(body).toMatchObject(members);
    return true;
  } catch {
    return false;
  }
}

const idOf = ({ headers }: Received) => String(headers['webhook-id']);

const accountEvent = (value: unknown, field = 'account_alerts') => ({
  object: 'whatsapp_business_account',
  entry: [{ id: account, time: Math.floor(Date.now() / 1000), changes: [{ field, value }] }],
});

describe('the webhook of a workspace', () => {
  it('gets a field of its business account once, signed and with exact numbers, however often it comes', async () => {
    const body = JSON.stringify(accountEvent({ limit: 0, note: 'canary é' })).replace('"limit":0', '"limit":1.50e3');
    expect(await service.post(body)).toBe(200);
    expect(await service.post(body)).toBe(200);
    const notification = await arrived({ field: 'account_alerts', value: { limit: 1500 } });
    expect(String(notification.body)).toBe('{"field":"account_alerts","value":{"limit":1.50e3,"note":"canary é"}}');
    expect(verified(notification, secret)).toBeTruthy();
    await service.untilDone();
    expect(bodies().filter((each) => isLike(each, { value: { limit: 1500 } }))).toHaveLength(1);
  });

  it('shows its deliveries to the owner, who can replay them', async () => {
    await service.post(accountEvent({ replayed: true }));
    const id = idOf(await arrived({ value: { replayed: true } }));
    const listed = (await api.call(listWorkspaceDeliveries)).body as { data: { id: string; kind: string }[] };
    expect(listed.data.find((delivery) => delivery.id === id)).toMatchObject({ kind: 'field', target: 'webhook' });
    const params = { workspace, delivery: id };
    expect((await api.call(replayWorkspaceDelivery, { params })).status).toBe(200);
    await vi.waitFor(() => expect(received().filter((each) => idOf(each) === id)).toHaveLength(2), soon);
    const { body } = await api.call(getWorkspaceDelivery, { params });
    expect(body).toMatchObject({ payload: '{"field":"account_alerts","value":{"replayed":true}}' });
    const member = await api.call(getWorkspaceDelivery, { params, token: seededTokens.member });
    expect(member.status).toBe(403);
  });

  it('gets no event of another business account', async () => {
    const [entry] = accountEvent({ elsewhere: true }).entry;
    const body = { object: 'whatsapp_business_account', entry: [{ ...entry, id: '100000000000999' }] };
    expect(await service.post(body)).toBe(200);
    await service.untilDone();
    expect(bodies().some((each) => isLike(each, { value: { elsewhere: true } }))).toBe(false);
  });

  it('gets an event when a Flow is published', async () => {
    const flow = (await api.call(createFlow, { body: { name: 'Announced', categories: [8] } })).body as { id: string };
    const params = { workspace, flow: flow.id };
    await api.call(updateFlowJson, { params, body: { json: publishableFlow } });
    expect((await api.call(publishFlow, { params })).status).toBe(200);
    await arrived({
      type: 'flow.published',
      data: { flow: flow.id, name: 'Announced', previous_status: 'DRAFT' },
    });
    await service.untilDone();
    expect(bodies().filter((each) => isLike(each, { type: 'flow.published' }))).toHaveLength(1);
  });

  it('gets an event when a target of a number fails, and when it has recovered', async () => {
    const failing = await service.newNumber({ webhook: '/failing' });
    service.receiver.script('/failing', [{ status: 500 }]);
    await service.sendTexts(failing, ...Array.from({ length: 12 }, (_, index) => String(index)));
    const data = { number: failing.id, target: 'webhook', since: expect.any(String) };
    await arrived({ type: 'target.failing', data });
    service.receiver.script('/failing', [{}]);
    await arrived({ type: 'target.recovered', data });
  });
});

describe('every type of event that the platform sends', () => {
  beforeAll(async () => {
    if (!number) throw new Error('There is no number');
    const url = `${service.receiver.url}/number`;
    await targetStore(service.world.table).setUrls(number.id, { webhook: url, calls_webhook: url });
  });

  it('arrives at the number or at the workspace', async () => {
    const markOf = (type: string) => `mark of ${type}`;
    const marked = (type: string) => {
      if (type === 'field') return { field: 'something_else', value: { mark: markOf(type) } };
      return type === 'error' ? { title: markOf(type) } : { mark: markOf(type) };
    };
    const events = eventTypes.map((type) => ({ type, phone_number_id: number?.phone_number_id, ...marked(type) }));
    await service.simulate(events);
    await vi.waitFor(() => {
      const texts = [...received(), ...received('/number')].map(({ body }) => String(body));
      const missing = eventTypes.filter((type) => !texts.some((text) => text.includes(`"${markOf(type)}"`)));
      expect(missing).toEqual([]);
    }, soon);
  });

  it('arrives at the workspace, for each field of the platform that belongs to no number', async () => {
    const value = { mark: 'each field' };
    const [entry] = accountEvent(value).entry;
    const changes = platformFields.map((field) => ({ field, value }));
    const body = { object: 'whatsapp_business_account', entry: [{ ...entry, changes }] };
    // Like the platform, repeats what a busy machine does not take in time.
    await expect.poll(() => service.post(body), soon).toBe(200);
    await vi.waitFor(() => {
      const fields = bodies().flatMap((each) => (isLike(each, { value }) ? [each.field] : []));
      expect(fields.sort()).toEqual(platformFields.toSorted());
    }, soon);
  });

  it('that cannot be read, or belongs to a number that is not registered, arrives at the workspace', async () => {
    const unknown = envelope({ phone_number_id: '999999999999' }, { messages: [textMessage('canary unknown')] });
    const metadata = { phone_number_id: number?.phone_number_id };
    const unread = { metadata, calls: [{ id: 'wacid.unread' }], contacts: [] };
    await service.post({ ...unknown, entry: unknown.entry.map((entry) => ({ ...entry, id: account })) });
    await service.post(accountEvent(unread, 'calls'));
    await arrived({ field: 'messages', value: { messages: [{ text: { body: 'canary unknown' } }] } });
    await arrived({ field: 'calls', value: unread });
  });

  it('that the platform may add later arrives at the workspace', async () => {
    await service.post(accountEvent({ messages: [textMessage('canary')] }, 'something_new'));
    await arrived({ field: 'something_new' });
  });
});
