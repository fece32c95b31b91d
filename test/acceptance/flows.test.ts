import { describe, expect } from 'vitest';
import { createFlow, deleteFlow, getFlow, listFlows, publishFlow, updateFlowJson } from '#functions/flows/contracts.ts';
import { canary, type FlowObject, type FlowService, flowJson, newFlow } from '#support/flows/flow-service.ts';
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
});

describe('sizes', () => {
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
});

it('a token ends as soon as it is revoked, although it was just used', async () => {
  const token = await service.newToken();
  const status = async () => (await service.api.call(listFlows, { params: { workspace }, token })).status;
  expect(await status()).toBe(200);
  await service.revoke(token);
  expect(await status()).toBe(401);
});
