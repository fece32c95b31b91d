import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { businessAccountStore } from '#shared/accounts/business-account-store.ts';
import { newForMs } from '#shared/delivery/known-settings.ts';
import { newTarget } from '#shared/webhooks/target.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { type ApiWorld, startApiWorld } from '#support/worlds/api-world.ts';
import { updateWorkspaceWebhook as contract } from './contracts.ts';
import { makeHandler } from './update-webhook.ts';

captureLog();

let world: ApiWorld;

beforeAll(async () => {
  world = await startApiWorld('owner');
});
afterAll(() => world.close());

const url = 'https://example.com/hook';

const put = (workspace: { id: string }, body: unknown) => world.call({ contract, makeHandler }, workspace, { body });

const settings = ({ id }: { id: string }) => world.targets.read(id);

describe('the webhook of a workspace', () => {
  it('is set, replaced and removed', async () => {
    const workspace = await world.newWorkspace();
    expect(await put(workspace, { webhook: url })).toMatchObject({ status: 200, text: `{"webhook":"${url}"}` });
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

  it('has a signing secret before its first URL, which the URL does not change', async () => {
    const workspace = await world.newWorkspace();
    const secrets = await world.secrets.get(workspace.id);
    expect(secrets).toEqual({ current: expect.stringMatching(/^whsec_/), headers: {} });
    await put(workspace, { webhook: url });
    expect(await world.secrets.get(workspace.id)).toEqual(secrets);
  });

  it('that is replaced is no longer used by any delivery process once the change responds', async () => {
    const workspace = await world.newWorkspace({ webhook: url });
    world.waits.length = 0;
    await put(workspace, { webhook: `${url}/2` });
    expect(world.waits).toEqual([newForMs]);
  });

  it('closes its circuit breaker when it is replaced, and held deliveries are sent', async () => {
    const workspace = await world.newWorkspace({ webhook: url });
    await world.breakTarget(workspace, 'webhook');
    await put(workspace, { webhook: `${url}/2` });
    expect(world.queuedFor(workspace)).toEqual([
      { task: 'drain', subscriber: workspace.id, target: 'webhook', token: expect.any(String) },
    ]);
  });

  it('is found by the business account from then on', async () => {
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
    const afterDeletion = () => makeHandler({ ...world.dependencies, targets });
    const body = { webhook: url };
    const response = await world.call({ contract, makeHandler: afterDeletion }, await world.newWorkspace(), { body });
    expect(response).toMatchObject({ status: 404, headers: { 'x-error-code': 'workspace_not_found' } });
  });

  it.each(['scheme', 'forbidden-address', 'own-address'] as const)('is not set to a URL that is %s', async (fault) => {
    const workspace = await world.newWorkspace();
    world.faults.set(`${url}/${fault}`, fault);
    const before = await settings(workspace);
    const { status, json } = await put(workspace, { webhook: `${url}/${fault}` });
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual(['webhook']);
    expect(before?.targets.webhook).toEqual(newTarget());
    expect(await settings(workspace)).toEqual(before);
  });

  it.each([{}, { webhook: 1 }, { webhook: `${url}/${'x'.repeat(255)}` }])('is not set by %j', async (body) => {
    const workspace = await world.newWorkspace();
    const { status, json } = await put(workspace, body);
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual(['webhook']);
  });
});
