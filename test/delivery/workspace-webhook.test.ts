import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  getWorkspaceDelivery,
  listWorkspaceDeliveries,
  replayWorkspaceDelivery,
} from '#functions/deliveries/contracts.ts';
import { createFlow, publishFlow, updateFlowJson } from '#functions/flows/contracts.ts';
import { rotateWorkspaceWebhookSecret as rotateSecret, updateWorkspaceWebhook } from '#functions/webhooks/contracts.ts';
import { seededNumbers, seededTokens, seededWorkspaces } from '#local/seed.ts';
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

  it('gets an event when a target of a number fails, and when it has recovered and got what was held', async () => {
    const failing = await service.newNumber({ webhook: '/failing' });
    service.receiver.script('/failing', [{ status: 500 }]);
    await service.sendTexts(failing, ...Array.from({ length: 12 }, (_, index) => String(index)));
    const data = { number: failing.id, target: 'webhook', since: expect.any(String) };
    await arrived({ type: 'target.failing', data });
    service.receiver.script('/failing', [{}]);
    await arrived({ type: 'target.recovered', data });
    const delivered = await service.ended(failing, 12);
    expect(new Set(delivered.map(({ state }) => state))).toEqual(new Set(['delivered']));
  });

  it('gets what cannot be read, and what belongs to a number that is not registered', async () => {
    const unknown = envelope({ phone_number_id: '999999999999' }, { messages: [textMessage('canary unknown')] });
    const metadata = { phone_number_id: number?.phone_number_id };
    const unread = { metadata, calls: [{ id: 'wacid.unread' }], contacts: [] };
    await service.post({ ...unknown, entry: unknown.entry.map((entry) => ({ ...entry, id: account })) });
    await service.post(accountEvent(unread, 'calls'));
    await arrived({ field: 'messages', value: { messages: [{ text: { body: 'canary unknown' } }] } });
    await arrived({ field: 'calls', value: unread });
  });

  it('gets fields that the platform may add later', async () => {
    await service.post(accountEvent({ messages: [textMessage('canary')] }, 'something_new'));
    await arrived({ field: 'something_new' });
  });
});
