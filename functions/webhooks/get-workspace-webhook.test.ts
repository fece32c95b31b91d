import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { captureLog } from '#support/fakes/captured-log.ts';
import { type ApiWorld, startApiWorld } from '#support/worlds/api-world.ts';
import { getWorkspaceWebhook as contract } from './contracts.ts';
import { makeHandler } from './get-webhook.ts';

captureLog();

let world: ApiWorld;

beforeAll(async () => {
  world = await startApiWorld('owner');
});
afterAll(() => world.close());

describe('get-workspace-webhook', () => {
  it('shows the webhook of a workspace', async () => {
    const workspace = await world.newWorkspace({ webhook: 'https://example.com/hook' });
    const { status, json } = await world.call({ contract, makeHandler }, workspace);
    expect({ status, json }).toEqual({ status: 200, json: { webhook: 'https://example.com/hook' } });
  });

  it('shows that a workspace has no webhook', async () => {
    const { json } = await world.call({ contract, makeHandler }, await world.newWorkspace());
    expect(json).toEqual({ webhook: null });
  });

  it('shows nothing to members who are not owners', async () => {
    const members = await startApiWorld('member');
    const { status } = await members.call({ contract, makeHandler }, await members.newWorkspace());
    await members.close();
    expect(status).toBe(403);
  });
});
