import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract as createFlow } from '#functions/flows/create-flow/contract.ts';
import { contract as getFlow } from '#functions/flows/get-flow/contract.ts';
import { contract as listFlows } from '#functions/flows/list-flows/contract.ts';
import { contract as publishFlow } from '#functions/flows/publish-flow/contract.ts';
import { contract as updateFlowJson } from '#functions/flows/update-flow-json/contract.ts';
import { canary, type FlowService, flowJson, newFlow, startFlowService } from '../../../support/flows/flow-service.ts';
import type { CallOptions } from '../../../support/http/client.ts';

let service: FlowService;
let workspace: string;
let flow: string;

beforeAll(async () => {
  service = await startFlowService();
  workspace = await service.newWorkspace();
  flow = (await service.draft(workspace)).id;
});
afterAll(() =>
  service.close({ expectedErrors: [expect.stringContaining('Request must be smaller than 6291456 bytes')] }),
);

const create = (body: unknown, options: CallOptions = {}) =>
  service.api.call(createFlow, { params: { workspace }, body, ...options });

const updateJson = (body: unknown) => service.api.call(updateFlowJson, { params: { workspace, flow }, body });

const megabyte = 1024 * 1024;

describe('a field that is missing or invalid', () => {
  it('returns 422 with a text for each, and the first one as the message', async () => {
    const reply = await create({ categories: [] });
    expect([reply.status, reply.body]).toEqual([
      422,
      {
        message: 'The name field is required. (and 1 more error)',
        errors: {
          name: ['The name field is required.'],
          categories: ['The categories field must have at least 1 item.'],
        },
      },
    ]);
  });

  it('a field that is missing or invalid never reaches the upstream', async () => {
    const asked = (await service.upstreamRequests()).length;
    await Promise.all([create({}), create('{'), updateJson({ json: 1 })]);
    expect(await service.upstreamRequests()).toHaveLength(asked);
  });
});

it('texts are returned unchanged, and reach the upstream unchanged', async () => {
  const name = `👩‍👩‍👧‍👦 תדפק e\u0301 \u212b a\u202eb\u0000\u2028 <script>"' {{x}} %s ${canary} ${workspace.slice(-12)}`;
  const reply = await create(newFlow({ name }));
  expect([reply.status, (reply.body as { name?: string }).name]).toEqual([201, name]);
  expect((await service.upstreamFlow((reply.body as { wa_id: string }).wa_id))?.name).toBe(name);
});

describe('Flow JSON', () => {
  async function roundTrip(json: string) {
    const { id, wa_id } = await service.draft(workspace);
    const params = { workspace, flow: id };
    const put = await service.api.call(updateFlowJson, { params, body: `{"json": ${json}}` });
    const got = await service.api.call(getFlow, { params });
    const listed = await service.api.call(listFlows, { params, query: { limit: '1' } });
    return { put, got, listed, wa_id };
  }

  it('may have members called __proto__, constructor and toString', async () => {
    const json = '{"__proto__":{"polluted":true},"constructor":{"prototype":{}},"toString":1,"a":{"__proto__":[]}}';
    const { put, got, wa_id } = await roundTrip(json);
    expect(put.text).toContain(`"json":${json}`);
    expect(got.text).toContain(`"json":${json}`);
    expect(JSON.stringify(await service.upstreamJson(wa_id))).toBe(json);
  });

  it('of 5 MB is stored in the bucket, returned unchanged and published', async () => {
    const texts = Array.from({ length: 50 }, (_, index) => `${index}é${canary}`.repeat(11_000));
    const [screen] = flowJson.screens;
    const large = {
      ...flowJson,
      screens: [{ ...screen, data: { texts: { type: 'array', items: { type: 'string' }, __example__: texts } } }],
    };
    const json = JSON.stringify(large);
    expect(Buffer.byteLength(json)).toBeGreaterThan(5_000_000);
    const { put, got, listed, wa_id } = await roundTrip(json);
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({ validation_errors: [] });
    for (const { text } of [put, got, listed]) expect(text.includes(`"json":${json}`)).toBe(true);
    expect(JSON.stringify(await service.upstreamJson(wa_id)) === json).toBe(true);
    const params = { workspace, flow: (put.body as { id: string }).id };
    expect((await service.api.call(publishFlow, { params })).text.includes(json)).toBe(true);
  });

  it('returns 413 if the response would be too large, and leaves the Flow unchanged', async () => {
    const { id } = await service.publishable(workspace);
    const params = { workspace, flow: id };
    // The request just fits an event of Lambda's; the answer would hold the Flow's other members too.
    const json = { filler: 'x'.repeat(6 * megabyte - 40 * 1024) };
    const reply = await service.api.call(updateFlowJson, { params, body: { json } });
    expect([reply.status, reply.message]).toEqual([413, 'The Flow JSON is too large: the response would exceed 6 MB.']);
    expect((await service.api.succeed(getFlow, { params })).json).toEqual(flowJson);
  });
});

describe('a body that is too large', () => {
  it.each([
    ['Lambda', 6 * megabyte],
    ['the gateway', 10 * megabyte + 1],
  ])('returns 413 above the limit of %s', async (_, size) => {
    const reply = await create(newFlow({ filler: 'x'.repeat(size) }));
    expect([reply.status, reply.body]).toEqual([413, { message: 'Request Entity Too Large' }]);
  });
});

it('texts follow Accept-Language', async () => {
  const headers = { 'accept-language': 'pt-PT,en;q=0.5' };
  const found = await create(newFlow({ categories: [7] }), { headers });
  expect(found.headers.get('content-language')).toBe('pt-BR');
  expect(found.body).toMatchObject({
    status: { id: 1, code: 'DRAFT', description: 'Rascunho' },
    categories: [{ id: 7, code: 'SURVEY', description: 'Pesquisa' }],
  });
  const missing = await service.api.call(getFlow, { params: { workspace, flow: 'none' }, headers });
  expect(missing.message).toBe('Flow não encontrado.');
});
