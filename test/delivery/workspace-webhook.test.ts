import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { contract as createFlow } from '#functions/create-flow/contract.ts';
import { contract as getWorkspaceDelivery } from '#functions/get-workspace-delivery/contract.ts';
import { contract as listWorkspaceDeliveries } from '#functions/list-workspace-deliveries/contract.ts';
import { contract as publishFlow } from '#functions/publish-flow/contract.ts';
import { contract as replayWorkspaceDelivery } from '#functions/replay-workspace-delivery/contract.ts';
import { contract as rotateSecret } from '#functions/rotate-workspace-webhook-secret/contract.ts';
import { contract as updateFlowJson } from '#functions/update-flow-json/contract.ts';
import { contract as updateWorkspaceWebhook } from '#functions/update-workspace-webhook/contract.ts';
import { eventTypes } from '#local/graph/events/events.ts';
import { seededNumbers, seededTokens, seededWorkspaces } from '#local/seed.ts';
import { targetStore } from '#shared/adapters/dynamodb/targets.ts';
import { publishableFlow } from '#support/publishable-flow.ts';
import { apiClient } from '../support/client.ts';
import {
  type DeliveryWorld,
  expectCleanLog,
  soon,
  startDeliveryWorld,
  textMessage,
} from '../support/delivery-world.ts';
import { type Received, verified } from '../support/receiver.ts';

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
    await service.settled();
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
    await service.settled();
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
    await service.settled();
    expect(bodies().filter((each) => isLike(each, { type: 'flow.published' }))).toHaveLength(1);
  });

  it('gets an event when a target of a number fails, and when it has recovered', async () => {
    const failing = await service.newNumber({ webhook: '/failing' });
    service.receiver.script('/failing', [{ status: 500 }]);
    await service.sendTexts(failing, ...Array.from({ length: 12 }, (_, index) => String(index)));
    const data = { number: failing.id, target: 'webhook', since: expect.any(String) };
    await arrived({ type: 'target.opened', data });
    service.receiver.script('/failing', [{}]);
    await arrived({ type: 'target.closed', data });
  });
});

describe('every type of event that the platform sends', () => {
  beforeAll(async () => {
    if (!number) throw new Error('There is no number');
    const targets = targetStore(service.world.table);
    await targets.createSecrets(number.id, { current: secret });
    const url = `${service.receiver.url}/number`;
    await targets.setUrls(number, { webhook: url, calls_webhook: url });
  });

  it('comes out at the number or at the workspace', async () => {
    const count = () => received().length + received('/number').length;
    for (const type of eventTypes) {
      const before = count();
      const any = type === 'field' ? { field: 'something_else', value: { a: 1 } } : {};
      await service.simulate([{ type, phone_number_id: number?.phone_number_id, ...any }]);
      await vi.waitFor(() => expect(count(), type).toBeGreaterThan(before), soon);
    }
    const fields = new Set(bodies().flatMap(({ field }) => field ?? []));
    for (const field of ['standby', 'messaging_handovers', 'account_update', 'flows', 'user_preferences', 'history']) {
      expect(fields).toContain(field);
    }
  });

  it('of the future comes out at the workspace', async () => {
    await service.post(accountEvent({ messages: [textMessage('canary')] }, 'something_new'));
    await arrived({ field: 'something_new' });
  });
});
