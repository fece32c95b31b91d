import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { deliveryId } from '#shared/delivery/delivery.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { type ApiWorld, now, startApiWorld } from '#support/worlds/api-world.ts';
import { listWorkspaceDeliveries as contract } from './contracts.ts';
import { makeHandler } from './list-deliveries.ts';

captureLog();

let world: ApiWorld;

beforeAll(async () => {
  world = await startApiWorld('owner');
});
afterAll(() => world.close());

it('the deliveries of a workspace are listed newest first, in pages', async () => {
  const workspace = await world.newWorkspace();
  const ids: string[] = [];
  for (const secondsAgo of [30, 20, 10]) {
    const timestampMs = now - secondsAgo * 1000;
    const id = deliveryId({ subscriber: workspace.id, target: 'webhook', key: newId(), timestampMs });
    await world.newDelivery(workspace, { id, kind: 'field', created_at: timestampMs });
    ids.unshift(id);
  }
  const list = (query: Record<string, string>) => world.call({ contract, makeHandler }, workspace, { query });
  const { status, json } = await list({ limit: '2' });
  expect(status).toBe(200);
  expect(json.meta.path).toBe(`https://api.example.com/v2/workspaces/${workspace.id}/webhook/deliveries`);
  const next = await list(Object.fromEntries(new URL(json.links.next).searchParams));
  expect([...json.data, ...next.json.data].map(({ id }: { id: string }) => id)).toEqual(ids);
});

it('a number has no part in the list of its workspace', async () => {
  const workspace = await world.newWorkspace();
  const number = await world.newNumber({ workspace: workspace.id });
  await world.newDelivery(number);
  expect((await world.call({ contract, makeHandler }, workspace)).json.data).toEqual([]);
});
