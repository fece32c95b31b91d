import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import type { KeyedRequest, KeyedRequestStore } from '#shared/idempotency/keyed-request-store.ts';
import type { Run } from '#shared/idempotency/run-keyed.ts';
import { type RequestOptions, send } from '#support/aws/http-event.ts';
import { mark } from '#support/deployment.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { type AccessData, caller, fakeAccess, workspace } from '#support/fakes/fake-access.ts';
import { draft, now } from '#support/fakes/fake-flow-context.ts';
import { memoryKeyedRequests } from '#support/fakes/memory-keyed-requests.ts';
import { defineContract } from './contract.ts';
import { createHandler } from './create-handler.ts';
import { keyedRequests } from './keyed-request.ts';

const contract = defineContract(() => ({
  name: 'water-flow',
  method: 'PUT',
  path: '/v2/workspaces/{workspace}/flows/{flow}',
  summary: 'Water a Flow',
  tag: 'Test',
  caller: 'workspace-owner',
  idempotency: 'run-again',
  body: z.looseObject({ name: z.string() }),
  exactNumbers: true,
  responses: {
    201: {
      description: 'Watered',
      body: z.object({ name: z.string(), size: z.int() }),
      headers: { Location: 'The URL of the plant' },
    },
  },
  uses: {},
}));

const log = captureLog();
const stored = new Map<string, KeyedRequest>();
const operation = vi.fn<(request: { run: Run; addHeader: (name: string, value: string) => void }) => Promise<void>>();

beforeEach(() => {
  stored.clear();
  operation.mockReset();
  operation.mockImplementation(async ({ addHeader }) => addHeader('x-findings', 'dry'));
});

interface World extends Partial<AccessData> {
  store?: KeyedRequestStore;
  of?: typeof contract;
}

/** Sends a request with the key; `null` sends none. */
function request(key: string | null = 'k-1', options: RequestOptions = {}, world: World = {}) {
  const { store = memoryKeyedRequests(stored), of = contract, ...data } = world;
  const dependencies = {
    access: fakeAccess({ flows: [draft], ...data }),
    now: () => now,
    mark,
    keyedRequests: keyedRequests(store),
  };
  const handler = createHandler(of, dependencies, async (each) => {
    await operation(each);
    return { status: 201 as const, headers: { location: 'https://example.com/1' }, body: { name: 'Fern', size: 1 } };
  });
  return send(handler, {
    caller,
    pathParameters: { workspace: workspace.id, flow: draft.id },
    body: { name: 'Fern' },
    ...options,
    headers: { ...(key !== null && { 'idempotency-key': key }), ...options.headers },
  });
}

const runs = () => operation.mock.calls.length;

describe('a request with an Idempotency-Key', () => {
  it('gets the response of the first one: status, headers and body, and a mark that it is replayed', async () => {
    const first = await request();
    const second = await request();
    expect(first.status).toBe(201);
    expect(first.headers).toMatchObject({ location: 'https://example.com/1', 'x-findings': 'dry' });
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    expect(second).toEqual({ ...first, headers: { ...first.headers, 'idempotency-replayed': 'true' } });
    expect(runs()).toBe(1);
  });

  it('gets a rejection of the upstream again, in the language of the first request', async () => {
    operation.mockRejectedValueOnce(new UpstreamError('rejected', 'No such template', { code: 132001 }));
    const first = await request('k-1', { headers: { 'accept-language': 'es' } });
    const second = await request();
    expect([first.status, second.status]).toEqual([400, 400]);
    expect(second.text).toBe(first.text);
    expect(second.headers).toMatchObject({ 'content-language': 'es', 'x-upstream-error-code': '132001' });
  });

  it('is rejected if the body is another one', async () => {
    await request();
    const { status, json } = await request('k-1', { body: { name: 'Rose' } });
    expect(status).toBe(422);
    expect(json.errors).toEqual({ 'Idempotency-Key': [expect.stringContaining('another body')] });
  });

  it('has another body if a member called __proto__ differs', async () => {
    const body = (data: string) => JSON.parse(`{"name":"Fern","data":${data}}`);
    const sent = [body('{}'), body('{"__proto__":1}'), body('{"__proto__":2}')];
    expect((await request('k-1', { body: sent[1] })).status).toBe(201);
    for (const other of [sent[0], sent[2]]) expect((await request('k-1', { body: other })).status).toBe(422);
    expect((await request('k-2', { body: JSON.parse('{"name":"Fern","__proto__":1}') })).json.errors).toEqual({
      ['__proto__']: [expect.stringContaining('does not exist')],
    });
    expect(runs()).toBe(1);
  });

  it('has the same body if the JSON means the same, however its numbers are written', async () => {
    const sendText = async (body: string) =>
      (await request('k-1', { body, headers: { 'content-type': 'application/json' } })).status;
    expect(await sendText('{"name":"Fern","at":{"x":1.50,"y":[1,2]}}')).toBe(201);
    expect(await sendText('{ "at": {"y":[1,2], "x":1.50}, "name": "Fern" }')).toBe(201);
    expect(await sendText('{"name":"Fern","at":{"x":1.5,"y":[1.0,2e0]}}')).toBe(201);
    expect(await sendText('{"name":"Fern","at":{"x":1.51,"y":[1,2]}}')).toBe(422);
    expect(await sendText('{"name":"Fern","at":{"x":"1.5","y":[1,2]}}')).toBe(422);
    expect(await sendText('{"name":"Fern","at":{"x":1.50,"y":[2,1]}}')).toBe(422);
    expect(runs()).toBe(1);
  });

  it('learns that the outcome is unknown, if the operation must not run twice', async () => {
    const of = { ...contract, idempotency: 'never-again' } as unknown as typeof contract;
    operation.mockRejectedValueOnce(new UpstreamError('timeout', 'Too slow'));
    expect((await request('k-1', {}, { of })).status).toBe(504);
    const { status, json } = await request('k-1', {}, { of });
    expect(status).toBe(504);
    expect(json).toEqual({ message: expect.stringContaining('not repeated') });
    expect(runs()).toBe(1);
  });

  it.each(['', ' ', 'a b', 'é', 'x'.repeat(256), 'tab\t'])('is rejected if the key is %j', async (key) => {
    const { status, json } = await request(key);
    expect(status).toBe(422);
    expect(json.errors).toEqual({ 'Idempotency-Key': [expect.stringContaining('visible ASCII')] });
    expect(runs() + stored.size).toBe(0);
  });

  it.each(['x'.repeat(255), '!', '"8e03978e-40d5-43dd-bc93-6894a57f9324"', '#/~{}'])(
    'can have the key %s',
    async (key) => {
      expect((await request(key)).status).toBe(201);
    },
  );
});

describe('a key', () => {
  it('belongs to the user, the operation and the resource', async () => {
    const other = { ...draft, id: '018f0000-0000-7000-8000-0000000000ff' };
    await request();
    await request('k-2');
    await request('k-1', { pathParameters: { workspace: workspace.id, flow: other.id } }, { flows: [draft, other] });
    await request('k-1', {}, { of: { ...contract, name: 'dry-flow' } as unknown as typeof contract });
    expect(runs()).toBe(4);
    await request('k-1', { pathParameters: { workspace: workspace.id, flow: draft.id.toUpperCase() } });
    expect(runs(), 'ids in capitals are the same').toBe(4);
  });

  it('opens nothing to those who have lost access', async () => {
    await request();
    expect((await request('k-1', {}, { role: 'member' })).status).toBe(403);
    expect((await request('k-1', {}, { role: undefined })).status).toBe(403);
    expect((await request('k-1', {}, { token: undefined })).status).toBe(401);
    expect((await request('k-1', { caller: undefined })).status).toBe(401);
    expect((await request('k-1', {}, { flows: [] })).status).toBe(404);
  });

  it('is not used up by a request that is invalid', async () => {
    expect((await request('k-1', { body: {} })).status).toBe(422);
    expect((await request('k-1', { body: '{', headers: { 'content-type': 'application/json' } })).status).toBe(400);
    expect((await request()).status).toBe(201);
  });

  it('costs one write before the operation and one after it, and nothing when it is absent', async () => {
    const memory = memoryKeyedRequests(stored);
    const calls: string[] = [];
    const store = new Proxy(memory, {
      get(target, name, receiver) {
        calls.push(String(name));
        return Reflect.get(target, name, receiver);
      },
    });
    await request('k-1', {}, { store });
    expect(calls).toEqual(['claim', 'keep']);
    calls.length = 0;
    await request(null, {}, { store });
    expect(calls).toEqual([]);
  });

  it('is neither stored nor logged', async () => {
    await request('my-secret-key');
    expect(JSON.stringify([...stored])).not.toContain('my-secret-key');
    expect(JSON.stringify(log)).not.toContain('my-secret-key');
  });

  it('is remembered past the end of the function that uses it', async () => {
    await request();
    const [{ lease = { until: 0 }, expires_at = 0 } = {}] = stored.values();
    expect([lease.until - now, expires_at - now]).toEqual([34_000, 86_400_000]);
  });
});

it('a contract with a key may write the items of keyed requests, and no others because of it', () => {
  expect(contract.uses).toEqual({
    table: {
      BatchGetItem: ['TOKEN#', 'WORKSPACE#'],
      PutItem: ['KEYED_REQUEST#'],
      UpdateItem: ['KEYED_REQUEST#'],
      DeleteItem: ['KEYED_REQUEST#'],
    },
  });
});
