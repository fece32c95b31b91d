import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { contract as getWebhookTarget } from '#functions/webhooks/get-webhook-target/contract.ts';
import { contract as listDeliveries } from '#functions/webhooks/list-deliveries/contract.ts';
import { contract as testWebhook } from '#functions/webhooks/test-webhook/contract.ts';
import {
  contract as updateWebhook,
  workspaceContract as updateWorkspaceWebhook,
} from '#functions/webhooks/update-webhook/contract.ts';
import {
  contract as updateWebhookTarget,
  workspaceContract as updateWorkspaceWebhookTarget,
} from '#functions/webhooks/update-webhook-target/contract.ts';
import { seededTokens, seededWorkspaces } from '#local/seed.ts';
import { apiClient } from '../../support/http/client.ts';
import {
  type DeliveryWorld,
  envelope,
  expectCleanLog,
  postEvent,
  soon,
  startDeliveryWorld,
  textMessage,
} from '../../support/worlds/delivery-world.ts';
import { eventually, newWebhook, type Webhook } from '../../support/worlds/test-webhook.ts';

let service: DeliveryWorld;
beforeAll(async () => {
  service = await startDeliveryWorld();
});
afterAll(async () => {
  expectCleanLog(service.world);
  await service.close();
});

const secret = 's3cr3t-of-the-receiver';
const target = { target: 'webhook' };

const narrow = async (webhook: Webhook, body: object) => {
  const { status, text } = await webhook.call(updateWebhookTarget, { params: target, body });
  expect(status).toBe(200);
  expect(text).not.toContain(secret);
};

describe('a narrowed target', () => {
  it('gets only its events; the others leave no entry', async () => {
    const webhook = await newWebhook(service, '/narrowed');
    await narrow(webhook, { events: ['statuses.failed', 'messages.image'] });
    const status = (id: string, name: string) => ({ id, status: name, timestamp: '1795000000', recipient_id: '1' });
    const statuses = [status('wamid.1', 'read'), status('wamid.2', 'failed')];
    await postEvent(service.baseUrl, envelope(webhook.number, { messages: [textMessage('hello')], statuses }));
    await webhook.ended();
    expect(webhook.received().map(({ body }) => JSON.parse(String(body)).statuses?.[0].id)).toEqual(['wamid.2']);
    expect(await webhook.states()).toEqual(['delivered']);

    await narrow(webhook, { events: null });
    await webhook.send('hello again');
    await webhook.ended(2);
    expect(webhook.received()).toHaveLength(2);
  });

  it('still gets the test notification', async () => {
    const webhook = await newWebhook(service, '/tested');
    await narrow(webhook, { events: ['errors'], headers: { 'X-Tenant': 'acme' } });
    expect((await webhook.call(testWebhook)).status).toBe(200);
    expect(webhook.received()[0]?.headers).toMatchObject({ 'x-tenant': 'acme' });
  });
});

describe('a narrowed webhook of a workspace', () => {
  it('gets only its fields, with its headers', async () => {
    const [{ id = '', waba_id = '' } = {}] = seededWorkspaces;
    const params = { workspace: id, ...target };
    const api = apiClient(service.baseUrl, { token: seededTokens.owner });
    const webhook = `${service.receiver.url}/workspace`;
    expect((await api.call(updateWorkspaceWebhook, { params, body: { webhook } })).status).toBe(200);
    const body = { events: ['account_update'], headers: { 'X-Tenant': 'acme' } };
    expect((await api.call(updateWorkspaceWebhookTarget, { params, body })).body).toEqual({
      events: ['account_update'],
      headers: ['x-tenant'],
    });
    const changes = ['account_alerts', 'account_update'].map((field) => ({ field, value: { event: 'X' } }));
    await postEvent(service.baseUrl, { object: 'whatsapp_business_account', entry: [{ id: waba_id, changes }] });
    const received = () => service.receiver.received('/workspace');
    await vi.waitFor(() => expect(received()).toHaveLength(1), soon);
    expect(JSON.parse(String(received()[0]?.body))).toEqual({ field: 'account_update', value: { event: 'X' } });
    expect(received()[0]?.headers).toMatchObject({ 'x-tenant': 'acme' });
    expect((await api.call(updateWorkspaceWebhook, { params, body: { webhook: null } })).status).toBe(200);
  });
});

// Side by side, because each waits for a retry.
describe.concurrent('headers of the receiver', () => {
  it('come with every notification, a retry has the current ones, and no log shows a value', async () => {
    const webhook = await newWebhook(service, '/headers');
    await narrow(webhook, { headers: { Authorization: `Bearer ${secret}` } });
    webhook.script({ status: 401, body: `Bearer ${secret} is not known`, headers: { 'retry-after': '8' } }, {});
    await webhook.send('hello');
    await eventually(webhook.states, ['waiting']);
    await narrow(webhook, { headers: { Authorization: `Bearer ${secret}-2`, 'x-tenant': 'acme' } });
    await webhook.ended();
    const [first, second] = webhook.received().map(({ headers }) => headers);
    expect(first).toMatchObject({ authorization: `Bearer ${secret}`, 'webhook-signature': expect.any(String) });
    expect(second).toMatchObject({ authorization: `Bearer ${secret}-2`, 'x-tenant': 'acme' });

    const listed = await webhook.call(listDeliveries);
    expect(listed.text).toContain('*** is not known');
    const shown = await webhook.call(getWebhookTarget, { params: target });
    expect(shown.body).toEqual({ events: null, headers: ['authorization', 'x-tenant'] });
    const texts = [listed.text, shown.text, ...service.world.logs].join('\n');
    expect(texts).not.toContain(secret);
  });

  it('are sent to no other server, also by a retry', async () => {
    const webhook = await newWebhook(service, '/moving');
    await narrow(webhook, { headers: { Authorization: `Bearer ${secret}` } });
    webhook.script({ status: 503, headers: { 'retry-after': '8' } }, {});
    await webhook.send('hello');
    await eventually(webhook.states, ['waiting']);
    const elsewhere = `${service.receiver.url.replace('127.0.0.1', 'localhost')}/moving`;
    await webhook.call(updateWebhook, { body: { webhook: elsewhere } });
    await webhook.ended();
    const [first, second] = webhook.received().map(({ headers }) => headers);
    expect(first).toMatchObject({ authorization: `Bearer ${secret}` });
    expect(second).toHaveProperty('webhook-signature');
    expect(second).not.toHaveProperty('authorization');
  });
});
