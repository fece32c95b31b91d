import { describe, expect, it } from 'vitest';
import * as ofDeliveries from '#functions/deliveries/contracts.ts';
import { makeHandler as getDelivery } from '#functions/deliveries/get-delivery.ts';
import { makeHandler as listDeliveries } from '#functions/deliveries/list-deliveries.ts';
import { makeHandler as replayDeliveries } from '#functions/deliveries/replay-deliveries.ts';
import { makeHandler as replayDelivery } from '#functions/deliveries/replay-delivery.ts';
import { businessAccountStore } from '#shared/accounts/workspace-store.ts';
import { newId } from '#shared/base/ids.ts';
import { deliveryId } from '#shared/delivery/delivery.ts';
import { newTarget } from '#shared/webhooks/subscriber.ts';
import { validSecrets } from '#shared/webhooks/webhook-signature.ts';
import { requestId } from '#support/aws/http-event.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { type ApiWorld, now, startApiWorld } from '#support/worlds/api-world.ts';
import * as contracts from './contracts.ts';
import { makeHandler as getWebhook } from './get-webhook.ts';
import { makeHandler as getTarget } from './get-webhook-target.ts';
import { makeHandler as resume } from './resume-webhook.ts';
import { makeHandler as rotateSecret } from './rotate-webhook-secret.ts';
import { makeHandler as update } from './update-webhook.ts';
import { makeHandler as updateTarget } from './update-webhook-target.ts';

captureLog();

// The handlers are those of numbers, whose tests stand beside them. These tests show what is different for a workspace.
const operations = {
  get: { contract: contracts.getWorkspaceWebhook, makeHandler: getWebhook },
  update: { contract: contracts.updateWorkspaceWebhook, makeHandler: update },
  getTarget: { contract: contracts.getWorkspaceWebhookTarget, makeHandler: getTarget },
  updateTarget: { contract: contracts.updateWorkspaceWebhookTarget, makeHandler: updateTarget },
  rotateSecret: { contract: contracts.rotateWorkspaceWebhookSecret, makeHandler: rotateSecret },
  resume: { contract: contracts.resumeWorkspaceWebhook, makeHandler: resume },
  listDeliveries: { contract: ofDeliveries.listWorkspaceDeliveries, makeHandler: listDeliveries },
  getDelivery: { contract: ofDeliveries.getWorkspaceDelivery, makeHandler: getDelivery },
  replayDelivery: { contract: ofDeliveries.replayWorkspaceDelivery, makeHandler: replayDelivery },
  replayDeliveries: { contract: ofDeliveries.replayWorkspaceDeliveries, makeHandler: replayDeliveries },
};

const world = forAllTests(() => startApiWorld('owner'));

const url = 'https://example.com/hook';

type Workspace = Awaited<ReturnType<ApiWorld['newWorkspace']>>;

const put = (workspace: Workspace, body: unknown) => world.call(operations.update, workspace, { body });

const settings = ({ id }: Workspace) => world.targets.read(id);

it('only owners of a workspace have access to its webhook', () => {
  for (const { contract } of Object.values(operations)) expect(contract.caller).toBe('workspace-owner');
});

describe('the webhook of a workspace', () => {
  it('is set, replaced, removed and shown', async () => {
    const workspace = await world.newWorkspace();
    const shown = async () => (await world.call(operations.get, workspace)).json;
    expect(await shown()).toEqual({ webhook: null });
    expect(await put(workspace, { webhook: url })).toMatchObject({ status: 200, text: `{"webhook":"${url}"}` });
    expect(await shown()).toEqual({ webhook: url });
    expect((await put(workspace, { webhook: `${url}/2` })).json).toEqual({ webhook: `${url}/2` });
    expect((await put(workspace, { webhook: null })).json).toEqual({ webhook: null });
    expect(await settings(workspace)).toEqual({
      subscriber: { id: workspace.id, workspace: workspace.id, active: true },
      targets: {
        webhook: { version: 3, removed_version: 3, breaker: { failures: 0 } },
        secondary_webhook: newTarget(),
        calls_webhook: newTarget(),
      },
    });
  });

  it('is rejected in a member that a number has or nobody, and the response says which one exists', async () => {
    const workspace = await world.newWorkspace({ webhook: url });
    const { status, json } = await put(workspace, { webhook: `${url}/2`, calls_webhook: url, url });
    expect(status).toBe(422);
    const text = (name: string) => `The field "${name}" does not exist. Fields that exist: webhook.`;
    expect(json.errors).toEqual({ calls_webhook: [text('calls_webhook')], url: [text('url')] });
    expect((await settings(workspace))?.targets.webhook.url).toBe(url);
  });

  it('is found by the business account from the time it is set', async () => {
    const workspace = await world.newWorkspace();
    const account = String(workspace.waba_id);
    const { listWorkspaces } = businessAccountStore(world.table);
    expect(await listWorkspaces(account)).toMatchObject([{ targets: { webhook: newTarget() } }]);
    await put(workspace, { webhook: url });
    expect(await listWorkspaces(account)).toMatchObject([
      { subscriber: { id: workspace.id }, targets: { webhook: { url } } },
    ]);
  });

  it('can be set before the workspace has a business account', async () => {
    const workspace = await world.newWorkspace({}, { waba_id: null });
    expect((await put(workspace, { webhook: url })).status).toBe(200);
  });

  it.each([
    ['read', { read: async () => undefined }],
    ['changed', { setUrls: async () => false }],
  ])('is not found if the workspace is deleted before it is %s', async (_, deleted) => {
    const targets = { ...world.targets, ...deleted };
    const afterDeletion = () => update({ ...world.dependencies, targets });
    const operation = { ...operations.update, makeHandler: afterDeletion };
    const response = await world.call(operation, await world.newWorkspace(), { body: { webhook: url } });
    expect(response).toMatchObject({ status: 404, headers: { 'x-error-code': 'workspace_not_found' } });
  });

  it.each([{}, { webhook: 1 }, { webhook: `${url}/${'x'.repeat(255)}` }])('is not set by %j', async (body) => {
    const { status, json } = await put(await world.newWorkspace(), body);
    expect([status, Object.keys(json.errors)]).toEqual([422, ['webhook']]);
  });

  it('is resumed once', async () => {
    const workspace = await world.newWorkspace({ webhook: url });
    await world.breakTarget(workspace, 'webhook');
    const resumed = async () => (await world.call(operations.resume, workspace)).json;
    expect(await resumed()).toEqual({ resumed: ['webhook'] });
    expect(world.queuedFor(workspace)).toMatchObject([{ task: 'drain', subscriber: workspace.id, target: 'webhook' }]);
    expect(await resumed()).toEqual({ resumed: [] });
  });
});

describe('the target of a workspace', () => {
  const ofTarget = (target: string) => ({ pathParameters: { target } });

  it('is narrowed to any fields and events of the service, before and after it has a URL', async () => {
    const workspace = await world.newWorkspace();
    const shown = async () => (await world.call(operations.getTarget, workspace, ofTarget('webhook'))).json;
    expect(await shown()).toEqual({ url: null, format: 'standard', events: null, headers: [] });
    const events = ['account_update', 'flow.published', 'a_future_field'];
    const change = { body: { events, headers: {} }, ...ofTarget('webhook') };
    const { status, json } = await world.call(operations.updateTarget, workspace, change);
    expect({ status, json }).toEqual({
      status: 200,
      json: { url: null, format: 'standard', events, headers: [] },
    });
    await put(workspace, { webhook: url });
    expect(await shown()).toEqual({ ...json, url });
  });

  it('does not name events of this service in Meta’s format, in the request or from before', async () => {
    const workspace = await world.newWorkspace();
    const change = (body: object) => world.call(operations.updateTarget, workspace, { body, ...ofTarget('webhook') });
    const meta = { format: 'meta', url, verify_token: 'token' };
    await change({ events: ['account_update', 'flow'] });
    for (const body of [meta, { ...meta, events: ['flows', 'target.paused'] }]) {
      const { status, json } = await change(body);
      expect(status).toBe(422);
      expect(json.errors).toEqual({ 'events.1': [expect.stringContaining("does not exist in Meta's format")] });
    }
    expect(await change({ ...meta, events: ['flows'] })).toMatchObject({ status: 200, json: { format: 'meta' } });
  });

  it('is always called webhook', async () => {
    const workspace = await world.newWorkspace();
    const message = 'Webhook target not found. Targets are: webhook.';
    for (const operation of [operations.getTarget, operations.updateTarget]) {
      const { status, json } = await world.call(operation, workspace, { body: {}, ...ofTarget('calls_webhook') });
      expect({ status, json }).toEqual({ status: 404, json: { message } });
    }
  });
});

describe('the signing secret of a workspace', () => {
  it('is there before the first URL, and is replaced by another one, while the previous one signs for a day', async () => {
    const workspace = await world.newWorkspace();
    const before = await world.secrets.get(workspace.id);
    expect(before).toEqual({ current: expect.stringMatching(/^whsec_/) });
    const { json } = await world.call(operations.rotateSecret, workspace);
    expect(json).toEqual({
      secret: expect.stringMatching(/^whsec_/),
      previous_valid_until: '2026-02-01T08:15:30.123000Z',
    });
    const secrets = await world.secrets.get(workspace.id);
    expect(secrets && validSecrets(secrets, now)).toEqual([json.secret, before?.current]);
  });

  it('is not found if the workspace is deleted meanwhile', async () => {
    const secrets = { ...world.secrets, get: async () => undefined };
    const makeHandler = () => rotateSecret({ ...world.dependencies, secrets });
    const response = await world.call({ ...operations.rotateSecret, makeHandler }, await world.newWorkspace());
    expect(response).toMatchObject({ status: 404, headers: { 'x-error-code': 'workspace_not_found' } });
  });
});

describe('the deliveries of a workspace', () => {
  it('are listed newest first, in pages, without those of its numbers', async () => {
    const workspace = await world.newWorkspace();
    await world.newDelivery(await world.newNumber({ workspace: workspace.id }));
    const ids: string[] = [];
    for (const secondsAgo of [30, 20, 10]) {
      const timestampMs = now - secondsAgo * 1000;
      const id = deliveryId({ subscriber: workspace.id, target: 'webhook', key: newId(), timestampMs });
      await world.newDelivery(workspace, { id, kind: 'field', created_at: timestampMs });
      ids.unshift(id);
    }
    const list = (query: Record<string, string>) => world.call(operations.listDeliveries, workspace, { query });
    const { status, json } = await list({ limit: '2' });
    expect(status).toBe(200);
    expect(json.meta.path).toBe(`https://api.example.com/v2/workspaces/${workspace.id}/webhook/deliveries`);
    const next = await list(Object.fromEntries(new URL(json.links.next).searchParams));
    expect([...json.data, ...next.json.data].map(({ id }: { id: string }) => id)).toEqual(ids);
  });

  it('are shown with their payload, but not those of a number or of another workspace', async () => {
    const workspace = await world.newWorkspace();
    const payload = '{"field":"account_alerts","value":{}}';
    const { id } = await world.newDelivery(workspace, { kind: 'field', payload: { text: payload } });
    const get = (delivery: string) => world.call(operations.getDelivery, workspace, { pathParameters: { delivery } });
    expect((await get(id)).json).toMatchObject({ id, kind: 'field', target: 'webhook', payload });
    for (const other of [await world.newNumber({ workspace: workspace.id }), await world.newWorkspace()]) {
      expect((await get((await world.newDelivery(other)).id)).status).toBe(404);
    }
  });

  it('are replayed one by one, or all that are exhausted', async () => {
    const workspace = await world.newWorkspace({ webhook: url });
    const { id } = await world.newDelivery(workspace, { kind: 'field' });
    await world.newDelivery(workspace, { kind: 'field', state: 'delivered' });
    const one = await world.call(operations.replayDelivery, workspace, { pathParameters: { delivery: id } });
    expect(one.json).toEqual({ success: true });
    const all = await world.call(operations.replayDeliveries, workspace, { body: { since: '2026-01-31T00:00:00Z' } });
    expect(all.json).toEqual({ replayed: 1, more: false, next_cursor: null });
    const replay = { task: 'replay', subscriber: workspace.id, target: 'webhook', id, request: requestId };
    expect(world.queuedFor(workspace)).toMatchObject([replay, replay]);
  });
});
