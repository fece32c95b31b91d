import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createFlow, getFlow, listFlows } from '#functions/flows/contracts.ts';
import type { Contract } from '#shared/operations/contract.ts';
import {
  type FlowObject,
  type FlowService,
  flowJson,
  newFlow,
  startFlowService,
  type UpstreamFlow,
} from '../../support/flows/flow-service.ts';
import { killFunction } from '../../support/processes.ts';

/** Longer than a lease, and longer than a request without a response may take to reach the upstream. */
const later = { clockOffsetSeconds: 120 };

let dataDir: string;
let service: FlowService;
let workspace: string;

/** The next run of a machine on which functions were killed in the middle of their changes. */
let nextRun: FlowService;
let created: { name: unknown };
let published: FlowObject;
let deleted: FlowObject;
let edited: FlowObject;
let renamed: Record<string, unknown>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'crash-'));
  service = await startFlowService({ dataDir });
  workspace = await service.newWorkspace();
  const flows = `/v2/workspaces/${workspace}/flows`;

  created = newFlow() as { name: string };
  await killDuring('create_flow', 'CreateFlow', { method: 'POST', path: flows, body: created }, (all) =>
    all.some(({ name }) => name === created.name),
  );

  published = await service.publishable(workspace);
  await killDuring('publish_flow', 'PublishFlow', { method: 'POST', path: `${flows}/${published.id}/publish` }, (all) =>
    all.some(({ id, status }) => id === published.wa_id && status === 'PUBLISHED'),
  );

  deleted = await service.draft(workspace);
  await killDuring('delete_flow', 'DeleteFlow', { method: 'DELETE', path: `${flows}/${deleted.id}` }, (all) =>
    all.every(({ id }) => id !== deleted.wa_id),
  );

  edited = await service.draft(workspace);
  renamed = newFlow();
  await killDuring(
    'update_flow',
    'UpdateFlow',
    { method: 'PUT', path: `${flows}/${edited.id}`, body: renamed },
    (all) => all.some(({ id, name }) => id === edited.wa_id && name === renamed.name),
  );

  await service.close();
  nextRun = await startFlowService({ dataDir, ...later });
});
afterAll(async () => {
  await nextRun.close();
  await rm(dataDir, { recursive: true, force: true });
});

/**
 * Kills the function's process after the upstream has made the change and before it has responded. The request ends
 * with the gateway's own 500.
 */
async function killDuring(
  operation: string,
  functionName: string,
  { method, path, body }: { method: string; path: string; body?: unknown },
  isMade: (flows: UpstreamFlow[]) => boolean,
): Promise<void> {
  await service.fault(operation, { kind: 'accept_then_timeout' });
  const response = fetch(service.baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${service.world.description.tokens.owner}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  await vi.waitFor(async () => expect(isMade(await service.upstreamFlows())).toBe(true), { timeout: 300_000 });
  killFunction(functionName);
  expect((await response).status).toBe(500);
}

const call = (contract: Contract, options: object) => nextRun.api.call(contract, { params: { workspace }, ...options });

it('a create that was killed leaves one Flow on both sides', async () => {
  const { data } = await nextRun.api.succeed(listFlows, { params: { workspace } });
  const upstream = (await nextRun.upstreamFlows()).filter(({ name }) => name === created.name);
  const here = data.filter(({ name }) => name === created.name);
  expect(upstream).toHaveLength(1);
  expect(here.map(({ wa_id, status }) => [wa_id, status.code])).toEqual([[upstream[0]?.id, 'DRAFT']]);
  expect(await nextRun.api.succeed(getFlow, { params: { workspace, flow: String(here[0]?.id) } })).toEqual(here[0]);

  const again = await call(createFlow, { body: created });
  expect([again.status, again.headers.get('x-upstream-error-code')]).toEqual([400, '100']);
});

it('a publish that was killed leaves a published Flow', async () => {
  const flow = await nextRun.api.succeed(getFlow, { params: { workspace, flow: published.id } });
  expect([flow.status.code, flow.json]).toEqual(['PUBLISHED', flowJson]);
});

it('a delete that was killed leaves no Flow', async () => {
  expect((await call(getFlow, { params: { workspace, flow: deleted.id } })).status).toBe(404);
});

it('an update that was killed is stored', async () => {
  const flow = await nextRun.api.succeed(getFlow, { params: { workspace, flow: edited.id } });
  expect(flow.name).toBe(renamed.name);
});

it('the list contains the Flows of both sides', async () => {
  const { data } = await nextRun.api.succeed(listFlows, { params: { workspace } });
  const upstream = await nextRun.upstreamFlows();
  expect(data.map(({ wa_id }) => wa_id).sort()).toEqual(upstream.map(({ id }) => id).sort());
});
