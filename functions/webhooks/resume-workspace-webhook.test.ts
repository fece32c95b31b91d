import { afterAll, beforeAll, expect, it } from 'vitest';
import { captureLog } from '#support/fakes/captured-log.ts';
import { type ApiWorld, startApiWorld } from '#support/worlds/api-world.ts';
import { resumeWorkspaceWebhook as contract } from './contracts.ts';
import { makeHandler } from './resume-webhook.ts';

captureLog();

let world: ApiWorld;

beforeAll(async () => {
  world = await startApiWorld('owner');
});
afterAll(() => world.close());

it('the webhook of a workspace is resumed once', async () => {
  const workspace = await world.newWorkspace({ webhook: 'https://example.com/hook' });
  await world.breakTarget(workspace, 'webhook');
  const resume = () => world.call({ contract, makeHandler }, workspace);
  expect((await resume()).json).toEqual({ resumed: ['webhook'] });
  expect(world.queuedFor(workspace)).toMatchObject([{ task: 'drain', subscriber: workspace.id, target: 'webhook' }]);
  expect((await resume()).json).toEqual({ resumed: [] });
});
