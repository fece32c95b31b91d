import { expect } from 'vitest';
import { operations } from '#functions/operations.ts';
import type { Contract } from '#shared/operations/contract.ts';
import type { FlowService } from '#support/flows/flow-service.ts';
import { it } from './shared-world.ts';

const find = (name: string) => operations.find((operation) => operation.name === name) as Contract;

/** The operation that reads what a `PUT` replaces: at the same path, or at the resource of which it replaces a part. */
function readerOf({ path }: Contract): Contract {
  const readers = operations.filter(
    (operation) => operation.method === 'GET' && `${path}/`.startsWith(`${operation.path}/`),
  );
  return readers.toSorted((a, b) => b.path.length - a.path.length)[0] as Contract;
}

let service: FlowService;
let params: Record<string, string>;

it.beforeAll(async ({ service: shared }) => {
  service = shared;
  const [workspace] = service.world.description.workspaces;
  const number = service.world.description.numbers.find(({ active, calling_enabled }) => active && calling_enabled);
  const endpoint = { categories: [3, 1], endpoint_url: 'https://example.com/flow', endpoint_encrypted: false };
  const { id: flow } = await service.publishable(workspace?.id ?? '', endpoint);
  params = { workspace: workspace?.id ?? '', number: number?.id ?? '', flow, target: 'webhook' };
  for (const name of ['update-webhook', 'update-workspace-webhook'])
    await service.api.succeed(find(name), { params, body: { webhook: 'http://127.0.0.1:9/hook' } });
  for (const [name, event] of [
    ['update-webhook-target', 'messages.text'],
    ['update-workspace-webhook-target', 'account_update'],
  ] as const)
    await service.api.succeed(find(name), { params, body: { events: [event], headers: { 'X-Key': 'secret' } } });
});
it.afterAll(async () => {
  // Other files use the same number.
  for (const name of ['update-webhook-target', 'update-workspace-webhook-target'])
    await service.api.succeed(find(name), { params, body: { events: null, headers: {} } });
  for (const name of ['update-webhook', 'update-workspace-webhook'])
    await service.api.succeed(find(name), { params, body: { webhook: null } });
  service.expectQuiet();
});

it.each(operations.filter(({ method }) => method === 'PUT').map((contract) => [contract.name, contract] as const))(
  '%s takes back exactly what was read, and changes nothing',
  async (_, contract) => {
    const reader = readerOf(contract);
    const read = await service.api.call(reader, { params });
    const reply = await service.api.call(contract, { params, body: read.text });
    expect([read.status, reply.status, reply.text], read.text).toEqual([200, 200, expect.any(String)]);
    const again = await service.api.call(reader, { params });
    expect({ ...Object(again.body), updated_at: 0 }).toEqual({ ...Object(read.body), updated_at: 0 });
  },
);
