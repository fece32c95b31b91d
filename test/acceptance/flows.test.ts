import { describe, expect } from 'vitest';
import {
  createFlow,
  deleteFlow,
  getFlow,
  listFlows,
  publishFlow,
  updateFlow,
  updateFlowJson,
} from '#functions/flows/contracts.ts';
import { metricsOf } from '#support/aws/log-metrics.ts';
import { canary, type FlowObject, type FlowService, flowJson, newFlow } from '#support/flows/flow-service.ts';
import type { SuccessBody } from '#support/http/client.ts';
import { it } from './shared-world.ts';

let service: FlowService;
let workspace: string;

it.beforeAll(async ({ service: shared }) => {
  service = shared;
  workspace = await service.newWorkspace();
});
it.afterAll(() => service.expectQuiet());

const paramsOf = ({ id: flow }: { id: string }) => ({ workspace, flow });
const read = (flow: FlowObject) => service.api.succeed(getFlow, { params: paramsOf(flow) });
const publish = (flow: FlowObject) => service.api.call(publishFlow, { params: paramsOf(flow) });
const remove = (flow: FlowObject) => service.api.call(deleteFlow, { params: paramsOf(flow) });
const create = (body: object, headers = {}) => service.api.call(createFlow, { params: { workspace }, body, headers });

const statusOf = async (flow: FlowObject) => [
  (await read(flow)).status.code,
  (await service.upstreamFlow(flow.wa_id))?.status,
];

describe('the life of a Flow', () => {
  it('leads from a draft with errors to a published Flow and to a deprecated one, the same on both sides', async () => {
    const reply = await create(newFlow({ categories: [3, 1] }));
    const flow = reply.body as FlowObject;
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${service.baseUrl}/v2/workspaces/${workspace}/flows/${flow.id}`);
    expect(await service.upstreamFlow(flow.wa_id)).toMatchObject({
      ...{ name: flow.name, status: 'DRAFT', categories: ['APPOINTMENT_BOOKING', 'SIGN_UP'], endpoint_uri: null },
    });

    const broken = { params: paramsOf(flow), body: { json: { version: '7.3', screens: [] } } };
    const { validation_errors } = await service.api.succeed(updateFlowJson, broken);
    expect(validation_errors).toEqual([expect.objectContaining({ error: 'MIN_ITEMS_REQUIRED' })]);
    const rejected = await publish(flow);
    expect([rejected.status, rejected.headers.get('x-upstream-error-code')]).toEqual([400, '139002']);

    await service.api.succeed(updateFlowJson, { params: paramsOf(flow), body: { json: flowJson } });
    expect(await service.upstreamJson(flow.wa_id)).toEqual(flowJson);
    expect((await publish(flow)).status).toBe(200);
    expect(await statusOf(flow)).toEqual(['PUBLISHED', 'PUBLISHED']);
    expect((await remove(flow)).status).toBe(200);
    expect(await statusOf(flow)).toEqual(['DEPRECATED', 'DEPRECATED']);
  });

  it('has an endpoint, for which the upstream gets ours', async () => {
    const flow = await service.draft(workspace);
    const endpoint = { endpoint_url: `https://${canary}.example.com/flow`, endpoint_encrypted: true };
    const params = paramsOf(flow);
    await service.api.succeed(updateFlow, { params, body: newFlow(endpoint) });
    const uri = `${service.baseUrl}/v2/flows/${flow.id}/endpoint`;
    expect((await service.upstreamFlow(flow.wa_id))?.endpoint_uri).toBe(uri);
    await service.api.succeed(updateFlow, { params, body: newFlow({ endpoint_url: null }) });
    expect((await service.upstreamFlow(flow.wa_id))?.endpoint_uri).toBeNull();
  });

  it('ends on both sides when a draft is deleted', async () => {
    const flow = await service.draft(workspace);
    const reply = await remove(flow);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(await service.upstreamFlow(flow.wa_id)).toBeUndefined();
    expect((await service.api.call(getFlow, { params: paramsOf(flow) })).status).toBe(404);
  });

  it('is changed by one of several simultaneous requests, and stays the same on both sides', async () => {
    const flow = await service.publishable(workspace);
    const replies = await Promise.all([publish(flow), publish(flow), publish(flow), remove(flow)]);
    expect(replies.filter(({ status }) => ![200, 204, 400, 404, 409].includes(status))).toEqual([]);
    const here = await service.api.call(getFlow, { params: paramsOf(flow) });
    const there = await service.upstreamFlow(flow.wa_id);
    expect(here.status === 404 ? undefined : (here.body as FlowObject).status.code).toBe(there?.status);
  });
});

describe('a list of Flows', () => {
  type Page = SuccessBody<typeof listFlows>;
  const ids = ({ data }: Page) => data.map(({ id }) => id);

  it('is paged by its links, newest first, for members too, and filtered by status', async () => {
    const own = await service.newWorkspace();
    const flows = [await service.published(own), await service.draft(own), await service.draft(own)].reverse();
    const token = service.world.description.tokens.member;
    const first = await service.api.succeed(listFlows, { params: { workspace: own }, token, query: { limit: '2' } });
    const next = await fetch(String(first.links.next), { headers: { authorization: `Bearer ${token}` } });
    expect([...ids(first), ...ids((await next.json()) as Page)]).toEqual(flows.map(({ id }) => id));
    const published = await service.api.succeed(listFlows, { params: { workspace: own }, query: { status: '2' } });
    expect(ids(published)).toEqual([flows[2]?.id]);
  });
});

describe('sizes', () => {
  const megabyte = 1024 * 1024;

  it('a Flow JSON of 5 MB is stored in the bucket, returned unchanged and published', async () => {
    const texts = Array.from({ length: 50 }, (_, index) => `${index}é${canary}`.repeat(11_000));
    const data = { texts: { type: 'array', items: { type: 'string' }, __example__: texts } };
    const json = JSON.stringify({ ...flowJson, screens: [{ ...flowJson.screens[0], data }] });
    expect(Buffer.byteLength(json)).toBeGreaterThan(5_000_000);
    const flow = await service.draft(workspace);
    const params = paramsOf(flow);
    const put = await service.api.call(updateFlowJson, { params, body: `{"json": ${json}}` });
    const listed = await service.api.call(listFlows, { params, query: { limit: '1' } });
    for (const { text } of [put, listed, await publish(flow)]) expect(text.includes(`"json":${json}`)).toBe(true);
    expect(JSON.stringify(await service.upstreamJson(flow.wa_id)) === json).toBe(true);
  });

  it('a response that would be too large is 413, and the Flow stays as it is', async () => {
    const flow = await service.publishable(workspace);
    // The request just fits an event of Lambda's; the response would have the other members of the Flow, too.
    const body = { json: { filler: 'x'.repeat(6 * megabyte - 40 * 1024) } };
    expect((await service.api.call(updateFlowJson, { params: paramsOf(flow), body })).status).toBe(413);
    expect((await read(flow)).json).toEqual(flowJson);
  });
});

it('a token ends as soon as it is revoked, although it was just used', async () => {
  const token = await service.newToken();
  const status = async () => (await service.api.call(listFlows, { params: { workspace }, token })).status;
  expect(await status()).toBe(200);
  await service.revoke(token);
  expect(await status()).toBe(401);
});

it('a failure of the upstream is passed on, counted and leaves nothing here', async () => {
  const own = await service.newWorkspace();
  await service.fault('create_flow', { kind: 'error', status: 500, error: { code: 1, message: canary } });
  const reply = await service.api.call(createFlow, { params: { workspace: own }, body: newFlow() });
  expect(reply.status).toBe(502);
  await expect.poll(() => metricsOf(service.world.logs)).toContain('UpstreamFailures');
  expect((await service.api.succeed(listFlows, { params: { workspace: own } })).data).toEqual([]);
});
