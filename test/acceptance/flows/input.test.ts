import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract as createFlow } from '#functions/flows/create-flow/contract.ts';
import { contract as getFlow } from '#functions/flows/get-flow/contract.ts';
import { contract as listFlows } from '#functions/flows/list-flows/contract.ts';
import { contract as publishFlow } from '#functions/flows/publish-flow/contract.ts';
import { contract as updateFlow } from '#functions/flows/update-flow/contract.ts';
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

describe('a body that is not a JSON object', () => {
  it.each([
    ['an object that does not end', '{"name": "x"'],
    ['a trailing comma', '{"name": "x",}'],
    ['single quotes', "{'name': 'x'}"],
    ['a form', 'name=x'],
    ['an array', '[]'],
    ['a string', '"x"'],
    ['a number', '1'],
    ['null', 'null'],
    ['white space', '   '],
    ['a control character in a string', '{"name": "a\u0001b"}'],
  ])('a body that is not a JSON object returns 400: %s', async (_, body) => {
    const reply = await create(body);
    expect([reply.status, Object.keys(reply.body as object)]).toEqual([400, ['message']]);
  });

  it('returns 400 without repeating the body', async () => {
    expect((await create(`{"name": "${canary}" ${canary}}`)).text).not.toContain(canary);
  });

  it.each([
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16', Buffer.from('{"name": "x"}', 'utf16le')],
    ['compressed', gzipSync('{"name": "x"}')],
  ])('returns 400 for bytes in another encoding: %s', async (_, body) => {
    expect((await create(new Uint8Array(body))).status).toBe(400);
  });

  it.each([
    ['arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('returns 400: %s with a hundred thousand nesting levels', async (_, nested) => {
    const reply = await updateJson(`{"json": {"a": ${nested}}}`);
    expect([reply.status, reply.message]).toEqual([400, 'The body has more than 200 nesting levels.']);
  });
});

describe('the media type', () => {
  it.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    'application/jsonp',
    'application/problem+json',
  ])('the media type returns 415: %s', async (type) => {
    expect((await create(newFlow(), { headers: { 'content-type': type } })).status).toBe(415);
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])('the media type is accepted: %s', async (type) => {
    expect((await create(newFlow(), { headers: { 'content-type': type } })).status).toBe(201);
  });

  it('is not checked if there is no body', async () => {
    const { id } = await service.publishable(workspace);
    const headers = { 'content-type': 'text/plain' };
    const reply = await service.api.call(publishFlow, { params: { workspace, flow: id }, headers });
    expect(reply.status).toBe(200);
  });
});

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

  it('returns 422 for a missing and for an empty body', async () => {
    for (const body of [undefined, '{}']) {
      expect(((await create(body)).body as { errors: object }).errors).toEqual({
        name: ['The name field is required.'],
        categories: ['The categories field is required.'],
      });
    }
  });

  it.each([
    ['name', null],
    ['name', ''],
    ['name', ' \t '],
    ['name', 1],
    ['name', ['x']],
    ['name', {}],
    ['name', 'x'.repeat(201)],
    ['categories', null],
    ['categories', []],
    ['categories', 1],
    ['categories', '1'],
    ['categories', { 0: 1 }],
    ['categories', [1, 1]],
    ['categories.0', [0]],
    ['categories.0', [9]],
    ['categories.0', ['1']],
    ['categories.0', [1.5]],
    ['categories.1', [1, null]],
    ['endpoint_url', 1],
    ['endpoint_encrypted', 'true'],
    ['endpoint_encrypted', null],
    ['endpoint_encrypted', 1],
  ])('returns 422 under its dotted name: %s %j', async (field, value) => {
    const reply = await create(newFlow({ [field.split('.')[0] ?? field]: value }));
    expect(reply.status).toBe(422);
    expect(Object.keys((reply.body as { errors: object }).errors)).toEqual([field]);
  });

  it.each([undefined, null, [], 'text', 1, true])('returns 422 for json %j', async (json) => {
    const reply = await updateJson({ json });
    expect([reply.status, Object.keys((reply.body as { errors: object }).errors)]).toEqual([422, ['json']]);
  });

  it('returns 422 on update as on create', async () => {
    const reply = await service.api.call(updateFlow, { params: { workspace, flow }, body: { name: 'x' } });
    expect([reply.status, Object.keys((reply.body as { errors: object }).errors)]).toEqual([422, ['categories']]);
  });

  it('a field that is missing or invalid never reaches the upstream', async () => {
    const asked = (await service.upstreamRequests()).length;
    await Promise.all([create({}), create('{'), updateJson({ json: 1 })]);
    expect(await service.upstreamRequests()).toHaveLength(asked);
  });
});

describe('unknown members of a body', () => {
  it('are rejected with those that exist, even if responses have them', async () => {
    const categories = [{ id: 1, code: 'SIGN_UP', description: 'Sign up' }];
    expect((await create(newFlow({ categories }))).status).toBe(422);
    const reply = await create({ ...newFlow(), endpointUrl: 'https://example.com', status: { id: 2 }, json: {} });
    expect([reply.status, reply.headers.get('x-error-code')]).toEqual([422, 'validation_failed']);
    const text = (name: string) => [
      `The field "${name}" does not exist. Fields that exist: name, categories, endpoint_url, endpoint_encrypted.`,
    ];
    expect((reply.body as { errors: object }).errors).toEqual({
      endpointUrl: text('endpointUrl'),
      status: text('status'),
      json: text('json'),
    });
  });

  it('are rejected if they are called constructor or __proto__', async () => {
    const withMember = (member: string) => create(`{${member}, ${JSON.stringify(newFlow()).slice(1)}`);
    expect((await withMember('"constructor": {"endpoint_url": "https://x.example.com"}')).status).toBe(422);
    const hostile = await withMember('"__proto__": {"endpoint_url": "https://x.example.com", "isAdmin": true}');
    expect(hostile).toMatchObject({ status: 422, body: { errors: { ['__proto__']: [expect.any(String)] } } });
    expect((await create(`{"__proto__": ${JSON.stringify(newFlow())}}`)).status).toBe(422);
  });
});

describe('texts', () => {
  it.each([
    ['emoji', 'Flow 👩‍👩‍👧‍👦🏳️‍🌈'],
    ['right to left', 'تدفق שלום'],
    ['combining characters', 'e\u0301\u0302\u0303 ﷽'],
    ['not normalised', '\u212b ≠ \u00c5'],
    ['direction overrides', 'a\u202eb\u2066c'],
    ['NUL and other control characters', 'a\u0000b\u001fc\u007f'],
    ['line separators', 'a\u2028b\u2029c'],
    ['markup', '<script>alert("x")</script>'],
    ['expressions', '{{x}} #{x} %s %n'],
    ['SQL and PartiQL', "'; DROP TABLE flows; --"],
    ['200 characters', '文'.repeat(160)],
  ])('texts are returned unchanged: %s', async (_, text) => {
    const name = `${text} ${canary} ${workspace.slice(-12)}`;
    const reply = await create(newFlow({ name }));
    expect([reply.status, (reply.body as { name?: string }).name]).toEqual([201, name]);
    expect((await service.upstreamFlow((reply.body as { wa_id: string }).wa_id))?.name).toBe(name);
  });

  it('are rejected if they contain a lone surrogate', async () => {
    const reply = await create('{"name": "a\\ud83d", "categories": [1]}');
    expect([reply.status, Object.keys((reply.body as { errors: object }).errors)]).toEqual([422, ['name']]);
  });
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

  it.each([
    ['empty', '{}'],
    ['Unicode', JSON.stringify({ text: '👩‍👩‍👧 שלום e\u0301 \u0000 \u2028', '🔑': 'ключ' })],
    ['half characters', '{"a": "\\ud83d", "\\udc00": 1}'],
    ['numbers', '{"a": [0, -1, 1.5, 1e21, 9007199254740991]}'],
    ['empty names and values', '{"": "", "a": [], "b": {}, "c": null}'],
    ['200 levels', `${'{"a":'.repeat(198)}1${'}'.repeat(198)}`],
  ])('is returned unchanged: %s', async (_, json) => {
    const { put, got, listed } = await roundTrip(json);
    expect(put.status).toBe(200);
    const expected = JSON.parse(json);
    expect((put.body as { json: unknown }).json).toEqual(expected);
    expect((got.body as { json: unknown }).json).toEqual(expected);
    expect((listed.body as { data: { json: unknown }[] }).data[0]?.json).toEqual(expected);
  });

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

describe('languages', () => {
  it.each([
    [undefined, 'en', 'Draft', 'Survey', 'Flow not found.'],
    ['pt-BR', 'pt-BR', 'Rascunho', 'Pesquisa', 'Flow não encontrado.'],
    ['pt-PT,en;q=0.5', 'pt-BR', 'Rascunho', 'Pesquisa', 'Flow não encontrado.'],
    ['es-MX', 'es', 'Borrador', 'Encuesta', 'Flow no encontrado.'],
    ['fr;q=1, es;q=0.9, en;q=0.8', 'es', 'Borrador', 'Encuesta', 'Flow no encontrado.'],
    ['en;q=0.1, pt;q=0.2', 'pt-BR', 'Rascunho', 'Pesquisa', 'Flow não encontrado.'],
    ['fr', 'en', 'Draft', 'Survey', 'Flow not found.'],
    ['*', 'en', 'Draft', 'Survey', 'Flow not found.'],
    [';;q=,,', 'en', 'Draft', 'Survey', 'Flow not found.'],
  ])('follow Accept-Language %j with %s', async (accepted, language, status, category, notFound) => {
    const headers: Record<string, string> = accepted === undefined ? {} : { 'accept-language': accepted };
    const found = await create(newFlow({ categories: [7] }), { headers });
    expect(found.headers.get('content-language')).toBe(language);
    expect(found.headers.get('vary')).toBe('Accept-Language');
    expect(found.body).toMatchObject({
      status: { id: 1, code: 'DRAFT', description: status },
      categories: [{ id: 7, code: 'SURVEY', description: category }],
    });
    const missing = await service.api.call(getFlow, { params: { workspace, flow: 'none' }, headers });
    expect([missing.message, missing.headers.get('content-language')]).toEqual([notFound, language]);
  });

  it('apply to the texts of invalid fields', async () => {
    const reply = await create({}, { headers: { 'accept-language': 'es' } });
    expect(reply.body).toEqual({
      message: 'El campo name es obligatorio. (y 1 error más)',
      errors: { name: ['El campo name es obligatorio.'], categories: ['El campo categories es obligatorio.'] },
    });
  });
});
