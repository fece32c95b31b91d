import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestId } from '#support/aws/http-event.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { type ApiWorld, startApiWorld } from '#support/worlds/api-world.ts';
import { replayWorkspaceDelivery as contract } from './contracts.ts';
import { makeHandler } from './replay-delivery.ts';

captureLog();

let world: ApiWorld;

beforeAll(async () => {
  world = await startApiWorld('owner');
});
afterAll(() => world.close());

const replay = (workspace: { id: string }, delivery: string) =>
  world.call({ contract, makeHandler }, workspace, { pathParameters: { delivery } });

it('a delivery of a workspace is queued again', async () => {
  const workspace = await world.newWorkspace({ webhook: 'https://example.com/hook' });
  const { id } = await world.newDelivery(workspace, { kind: 'field' });
  expect((await replay(workspace, id)).json).toEqual({ success: true });
  expect(world.queuedFor(workspace)).toEqual([
    { task: 'replay', subscriber: workspace.id, target: 'webhook', id, replay: expect.any(String), request: requestId },
  ]);
});

it('a delivery is not replayed to a workspace that never had a webhook', async () => {
  const workspace = await world.newWorkspace();
  const { id } = await world.newDelivery(workspace, { kind: 'field' });
  expect((await replay(workspace, id)).status).toBe(400);
  expect(world.queuedFor(workspace)).toEqual([]);
});
