import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { captureLog } from '#support/fakes/captured-log.ts';
import { type ApiWorld, startApiWorld } from '#support/worlds/api-world.ts';
import { updateWorkspaceWebhookTarget as contract } from './contracts.ts';
import { makeHandler } from './update-webhook-target.ts';

captureLog();

let world: ApiWorld;
beforeAll(async () => {
  world = await startApiWorld('owner');
});
afterAll(() => world.close());

const put = (workspace: { id: string }, body: unknown, target = 'webhook') =>
  world.call({ contract, makeHandler }, workspace, { body, pathParameters: { target } });

describe('update-workspace-webhook-target', () => {
  it('narrows the webhook of a workspace to any fields and events of the service, before it has a URL', async () => {
    const workspace = await world.newWorkspace();
    const events = ['account_update', 'flow.published', 'a_future_field'];
    const { status, json } = await put(workspace, { events, headers: {} });
    expect({ status, json }).toEqual({ status: 200, json: { events, headers: [] } });
    expect((await put(workspace, {})).json).toEqual(json);
  });

  it('keeps the events when the URL is set', async () => {
    const workspace = await world.newWorkspace();
    await put(workspace, { events: ['standby'] });
    await world.targets.setUrls(workspace.id, { webhook: 'https://example.com/hook' });
    expect((await world.targets.read(workspace.id))?.targets.webhook).toMatchObject({
      url: 'https://example.com/hook',
      events: ['standby'],
    });
  });

  it('knows only the target webhook', async () => {
    const { status, json } = await put(await world.newWorkspace(), {}, 'calls_webhook');
    expect({ status, json }).toEqual({
      status: 404,
      json: { message: 'Webhook target not found. Targets are: webhook.' },
    });
  });
});
