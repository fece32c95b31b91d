import { afterAll, beforeAll, expect, it } from 'vitest';
import { captureLog } from '#support/fakes/captured-log.ts';
import { type ApiWorld, startApiWorld } from '#support/worlds/api-world.ts';
import { getWorkspaceDelivery as contract } from './contracts.ts';
import { makeHandler } from './get-delivery.ts';

captureLog();

let world: ApiWorld;

beforeAll(async () => {
  world = await startApiWorld('owner');
});
afterAll(() => world.close());

const get = (workspace: { id: string }, delivery: string) =>
  world.call({ contract, makeHandler }, workspace, { pathParameters: { delivery } });

it('a delivery of a workspace is shown with its payload', async () => {
  const workspace = await world.newWorkspace();
  const payload = '{"field":"account_alerts","value":{}}';
  const { id } = await world.newDelivery(workspace, { kind: 'field', payload: { text: payload } });
  const { status, json } = await get(workspace, id);
  expect(status).toBe(200);
  expect(json).toMatchObject({ id, kind: 'field', target: 'webhook', payload });
});

it('a delivery of a number, or of another workspace, is not found', async () => {
  const workspace = await world.newWorkspace();
  const others = [await world.newNumber({ workspace: workspace.id }), await world.newWorkspace()];
  for (const other of others) {
    const { id } = await world.newDelivery(other);
    expect((await get(workspace, id)).status).toBe(404);
  }
});
