import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { captureLog } from '#support/fakes/captured-log.ts';
import { type ApiWorld, startApiWorld } from '#support/worlds/api-world.ts';
import { getWorkspaceWebhookTarget as contract } from './contracts.ts';
import { makeHandler } from './get-webhook-target.ts';

captureLog();

let world: ApiWorld;
beforeAll(async () => {
  world = await startApiWorld('owner');
});
afterAll(() => world.close());

const get = async (workspace: { id: string }, target = 'webhook') => {
  const { status, json } = await world.call({ contract, makeHandler }, workspace, { pathParameters: { target } });
  return [status, json];
};

describe('get-workspace-webhook-target', () => {
  it('shows the events of the webhook and the names of its headers, also before anything is set', async () => {
    const workspace = await world.newWorkspace();
    expect(await get(workspace)).toEqual([200, { events: null, headers: [] }]);
    await world.targets.setUrls(workspace.id, { webhook: 'https://example.com/hook' });
    const headers = { origin: 'https://example.com', headers: { 'x-tenant': 'acme' } };
    await world.targets.changeTarget(workspace.id, 'webhook', { events: ['flow.published'], headers });
    expect(await get(workspace)).toEqual([200, { events: ['flow.published'], headers: ['x-tenant'] }]);
  });

  it('knows one target', async () => {
    const [status] = await get(await world.newWorkspace(), 'secondary_webhook');
    expect(status).toBe(404);
  });
});
