import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestId } from '#support/aws/http-event.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { type ApiWorld, startApiWorld } from '#support/worlds/api-world.ts';
import { replayWorkspaceDeliveries as contract } from './contracts.ts';
import { makeHandler } from './replay-deliveries.ts';

captureLog();

let world: ApiWorld;

beforeAll(async () => {
  world = await startApiWorld('owner');
});
afterAll(() => world.close());

it('the exhausted deliveries of a workspace are queued again', async () => {
  const workspace = await world.newWorkspace({ webhook: 'https://example.com/hook' });
  const { id } = await world.newDelivery(workspace, { kind: 'field' });
  await world.newDelivery(workspace, { kind: 'field', state: 'delivered' });
  const body = { since: '2026-01-31T00:00:00Z' };
  const { status, json } = await world.call({ contract, makeHandler }, workspace, { body });
  expect(status).toBe(200);
  expect(json).toEqual({ replayed: 1, more: false, next_cursor: null });
  expect(world.queuedFor(workspace)).toMatchObject([
    { task: 'replay', subscriber: workspace.id, id, request: requestId },
  ]);
});
