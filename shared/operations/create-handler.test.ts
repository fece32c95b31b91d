import type { Context } from 'aws-lambda';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { withChecksum } from '#shared/accounts/token.ts';
import { newId } from '#shared/base/ids.ts';
import { addMark } from '#shared/base/mark.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { fileResponse } from '#shared/http/members.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { httpEvent, type RequestOptions, requestId, send } from '#support/aws/http-event.ts';
import { mark } from '#support/deployment.ts';
import { captureLog, type LogEntry } from '#support/fakes/captured-log.ts';
import { type AccessData, caller, fakeAccess, token, workspace } from '#support/fakes/fake-access.ts';
import { draft, now } from '#support/fakes/fake-flow-context.ts';
import { phoneNumber } from '#support/phone-number.ts';
import type { AccessReader } from './authorize.ts';
import { type Caller, defineContract } from './contract.ts';
import { createHandler, createHandlerByRoute, ok } from './create-handler.ts';

const contractFor = (as: Caller) =>
  defineContract(() => ({
    name: 'water-flow',
    method: 'PUT',
    path: '/v2/workspaces/{workspace}/flows/{flow}',
    summary: 'Water a Flow',
    tag: 'Test',
    caller: as,
    query: z.object({ times: z.optional(z.string().check(z.regex(/^\d$/))) }),
    body: z.object({ name: z.string() }),
    responses: {
      200: {
        description: 'Watered',
        body: z.object({ name: z.string(), size: z.int() }),
        headers: { Location: 'The URL of the plant' },
      },
      204: { description: 'Gone' },
    },
    uses: {},
  }));

const operation = vi.fn<(request: object) => Promise<{ status: 200; body: { name: string; size: number } }>>();
let log: LogEntry[];

beforeEach(() => {
  operation.mockResolvedValue({ status: 200, body: { name: 'Fern', size: 1 } });
  log = captureLog();
});

interface World extends Partial<AccessData> {
  as?: Caller;
  access?: AccessReader;
}

const good: RequestOptions = {
  caller,
  pathParameters: { workspace: workspace.id, flow: draft.id },
  body: { name: 'Fern' },
};

function request(options: RequestOptions = {}, { as = 'workspace-owner', access, ...data }: World = {}) {
  const reader = access ?? fakeAccess({ flows: [draft], ...data });
  const handler = createHandler(contractFor(as), { access: reader, now: () => now, mark }, operation);
  return send(handler, { ...good, ...options });
}

const rejecting = (error: unknown) => operation.mockRejectedValue(error);

describe('the input of the operation', () => {
  it('holds the validated input and the resources that the path names', async () => {
    await request({ query: { times: '3', other: 'x' }, headers: { 'accept-language': 'es' } });
    expect(operation).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        requestId,
        language: 'es',
        query: { times: '3' },
        body: { name: 'Fern' },
        user: token.user,
        workspace,
        flow: draft,
      }),
    );
  });

  it('holds the resources of ids in any case', async () => {
    const pathParameters = { workspace: workspace.id.toUpperCase(), flow: draft.id.toUpperCase() };
    expect(await request({ pathParameters })).toMatchObject({ status: 200 });
  });

  it('is read whatever the case of header names', async () => {
    const headers = { 'Content-Type': 'application/json', 'Accept-Language': 'pt' };
    const answer = await request({ headers, body: '{"name":"Fern"}' });
    expect(answer).toMatchObject({ status: 200, headers: { 'content-language': 'pt-BR' } });
  });

  it('is read from a body in base64', async () => {
    const body = Buffer.from('{"name":"Samambaia à sombra"}').toString('base64');
    await request({ headers: { 'content-type': 'application/json' }, body, isBase64Encoded: true });
    expect(operation).toHaveBeenCalledWith(expect.objectContaining({ body: { name: 'Samambaia à sombra' } }));
  });

  it.each<Caller>(['public', 'upstream'])('holds no user or workspace if the operation needs none (%s)', async (as) => {
    const access = vi.fn<AccessReader>();
    expect(await request({ caller: undefined }, { as, access })).toMatchObject({ status: 200 });
    expect(operation.mock.calls[0]?.[0]).not.toHaveProperty('workspace');
    expect(access).not.toHaveBeenCalled();
  });
});

describe('a request that this deployment sent itself', () => {
  it.each<Caller>(['public', 'upstream', 'workspace-owner', 'number-caller'])(
    'is rejected before anything is read (%s)',
    async (as) => {
      const access = vi.fn<AccessReader>();
      const headers = { ...addMark({}, mark), 'accept-language': 'es' };
      expect(await request({ caller: undefined, headers, body: 'no JSON' }, { as, access })).toMatchObject({
        status: 508,
        headers: { 'content-type': 'application/json', 'content-language': 'es' },
        json: { message: expect.stringMatching(/^Este servicio se envió esta solicitud/) },
      });
      expect(access).not.toHaveBeenCalled();
      expect(operation).not.toHaveBeenCalled();
    },
  );

  it.each(['Via', 'Messaging-Service-Via'])('is recognised by %s alone, whatever its case', async (name) => {
    expect(await request({ headers: { [name]: `1.1 proxy, 1.1 ${mark}` } })).toMatchObject({ status: 508 });
  });

  it('is not confused with one that another deployment or a proxy sent', async () => {
    const headers = addMark({ via: '1.1 proxy.example.com' }, 'messaging-service-other');
    expect(await request({ headers })).toMatchObject({ status: 200 });
  });
});

describe('authentication and permission', () => {
  const bearer = caller.slice('Bearer '.length);

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['no token', 'Bearer'],
    ['no token behind the scheme', 'Bearer '],
    ['no scheme', bearer],
    ['another scheme', `Basic ${bearer}`],
    ['a scheme that only begins alike', `Bearers ${bearer}`],
    ['a scheme that only ends alike', `XBearer ${bearer}`],
    ['two tokens', `Bearer ${bearer} ${bearer}`],
    ['a list of tokens', `Bearer ${bearer},${bearer}`],
    ['another prefix', `Bearer ${bearer.replace('msgs_', 'msgx_')}`],
    ['a token of somebody else’s service', 'Bearer ghp_16C7e42F292c6912E7710c838347Ae178B4a'],
    ['a wrong checksum', `Bearer ${bearer.slice(0, -1)}${bearer.endsWith('0') ? '1' : '0'}`],
    ['a hash in place of the token', `Bearer ${token.hash}`],
    ['a text without end', `Bearer ${'a'.repeat(100_000)}`],
  ])('access is denied by default, and nothing is read: %s', async (_, authorization) => {
    const access = vi.fn<AccessReader>();
    expect(await request({ caller: authorization }, { access })).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer', 'x-error-code': 'unauthenticated', 'x-request-id': requestId },
      json: { message: expect.stringContaining('Unauthenticated') },
    });
    expect(access).not.toHaveBeenCalled();
  });

  it.each([caller.replace('Bearer', 'bearer'), caller.replace('Bearer', 'BEARER'), caller.replace(' ', '   ')])(
    'access is granted with the header in another form: %s',
    async (authorization) => {
      expect(await request({ caller: authorization })).toMatchObject({ status: 200 });
    },
  );

  it('access is denied with the token of another', async () => {
    const another = `Bearer ${withChecksum('B'.repeat(32))}`;
    expect(await request({ caller: another })).toMatchObject({ status: 401 });
  });

  it.each([
    ['does not exist', undefined],
    ['has expired', { ...token, expires_at: now }],
  ])('access is denied if the token %s', async (_, stored) => {
    expect(await request({}, { token: stored })).toMatchObject({ status: 401 });
  });

  it('access is granted with a token that has not expired yet', async () => {
    expect(await request({}, { token: { ...token, expires_at: now + 1 } })).toMatchObject({ status: 200 });
  });

  it.each<[Caller, 'owner' | 'member' | undefined, number]>([
    ['workspace-owner', 'owner', 200],
    ['workspace-owner', 'member', 403],
    ['workspace-owner', undefined, 403],
    ['workspace-member', 'owner', 200],
    ['workspace-member', 'member', 200],
    ['workspace-member', undefined, 403],
  ])('an operation for %s, called as %s, returns status %d', async (as, role, status) => {
    expect(await request({}, { as, role })).toMatchObject({ status });
    expect(operation).toHaveBeenCalledTimes(status === 200 ? 1 : 0);
  });
});

describe('permission to use a number', () => {
  const number = phoneNumber({ workspace: workspace.id });

  async function ask(as: Caller, found: Partial<PhoneNumber>, data: Partial<AccessData> = {}) {
    const fake = fakeAccess(data);
    const access: AccessReader = async (query) => ({
      ...(await fake({ ...query, workspace: workspace.id })),
      number: { ...number, ...found },
    });
    return (await request({ body: '{' }, { as, access })).status;
  }

  it.each<[Caller, Partial<PhoneNumber>, number]>([
    ['number-user', {}, 415],
    ['number-user', { calling_enabled: false }, 415],
    ['number-user', { active: false }, 404],
    ['number-caller', {}, 415],
    ['number-caller', { calling_enabled: false }, 403],
    ['number-caller', { active: false }, 404],
    ['number-caller', { active: false, calling_enabled: false }, 404],
  ])(
    'an operation for %s, with a number that has %j, returns status %d before any input is read',
    async (as, found, status) => {
      expect(await ask(as, found)).toBe(status);
    },
  );

  it.each<[Caller, boolean, number]>([
    ['number-user', false, 415],
    ['number-caller', false, 403],
    ['number-caller', true, 415],
  ])(
    'an operation for %s, with calling in the workspace %s, returns status %d',
    async (as, calling_enabled, status) => {
      expect(await ask(as, {}, { workspace: { ...workspace, calling_enabled } })).toBe(status);
    },
  );

  it.each<Caller>(['number-user', 'number-owner', 'number-caller'])(
    'a user outside the workspace learns of no number: %s',
    async (as) => {
      expect(await ask(as, { calling_enabled: false }, { role: undefined })).toBe(404);
    },
  );
});

describe('a resource in the path', () => {
  const other = '018f0000-0000-7000-8000-0000000000ff';

  it.each([
    ['an unknown workspace', { workspace: other, flow: draft.id }, 'Workspace not found.'],
    ['no UUID for a workspace', { workspace: 'WORKSPACE', flow: draft.id }, 'Workspace not found.'],
    ['a key for a workspace', { workspace: `${workspace.id}#MEMBER`, flow: draft.id }, 'Workspace not found.'],
    ['an unknown Flow', { workspace: workspace.id, flow: other }, 'Flow not found.'],
    ['no UUID for a Flow', { workspace: workspace.id, flow: '../x' }, 'Flow not found.'],
    ['a property of every object', { workspace: workspace.id, flow: '__proto__' }, 'Flow not found.'],
  ])('leads to status 404: %s', async (_, pathParameters, message) => {
    expect(await request({ pathParameters })).toMatchObject({ status: 404, json: { message } });
  });

  it('leads to 404 while the upstream has not accepted the Flow', async () => {
    const { wa_id: _, ...unborn } = draft;
    expect(await request({}, { flows: [unborn] })).toMatchObject({ status: 404, json: { message: 'Flow not found.' } });
  });
});

describe('the order of the checks', () => {
  const unknown = { pathParameters: { workspace: 'x', flow: 'y' } };
  const badBodies: RequestOptions[] = [
    { body: '{', headers: { 'content-type': 'application/json' } },
    { body: 'text', headers: { 'content-type': 'text/plain' } },
    { body: { name: 1 } },
    { query: { times: 'x' } },
  ];

  it('the handler authenticates before it looks up anything', async () => {
    for (const bad of badBodies) expect((await request({ ...unknown, ...bad, caller: undefined })).status).toBe(401);
    expect((await request(unknown, { token: undefined })).status).toBe(401);
  });

  it('the handler looks up resources before it checks permission', async () => {
    for (const bad of badBodies) expect((await request({ ...unknown, ...bad }, { role: undefined })).status).toBe(404);
    const unknownFlow = { pathParameters: { workspace: workspace.id, flow: 'y' } };
    expect((await request(unknownFlow, { role: 'member' })).status).toBe(404);
  });

  it('the handler checks permission before it reads the input', async () => {
    for (const role of ['member', undefined] as const) {
      for (const bad of badBodies) expect((await request(bad, { role })).status).toBe(403);
    }
  });

  it('the handler validates the input before the operation begins', async () => {
    const statuses = [];
    for (const bad of badBodies) statuses.push((await request(bad)).status);
    expect(statuses).toEqual([400, 415, 422, 422]);
    expect(operation).not.toHaveBeenCalled();
  });
});

describe('the response', () => {
  it('contains the members of the contract only, in its order', async () => {
    operation.mockResolvedValue({ status: 200, body: { size: 2, secret: 'x', name: 'Fern' } as never });
    expect(await request()).toMatchObject({ status: 200, text: '{"name":"Fern","size":2}' });
  });

  it('has no body if the contract has none', async () => {
    operation.mockResolvedValue({ status: 204 } as never);
    const { status, text, headers } = await request();
    expect([status, text]).toEqual([204, undefined]);
    expect(headers).not.toHaveProperty('content-type');
    expect(headers).toMatchObject({ 'x-request-id': requestId });
  });

  it.each([
    ['a status that the contract does not declare', { status: 202, body: { name: 'hunter2', size: 1 } }],
    ['a header that it does not declare', { status: 204, headers: { location: 'hunter2' } }],
  ])('is a 500 if it violates the contract: %s', async (_, answer) => {
    operation.mockResolvedValue(answer as never);
    const { status, text } = await request();
    expect(status).toBe(500);
    expect(text).not.toContain('hunter2');
    expect(JSON.stringify(log)).not.toContain('hunter2');
  });

  it.each([
    ['a member of another type', { name: 'Fern', size: 'hunter2' }],
    ['a missing member', { name: 'Fern' }],
  ])('is sent after a change although its schema does not expect it: %s', async (_, body) => {
    operation.mockResolvedValue({ status: 200, body } as never);
    const { status, json } = await request();
    expect([status, json]).toEqual([200, body]);
    expect(log).toContainEqual(
      expect.objectContaining({ level: 'error', event: 'response.unexpected', faults: 'size: invalid_type' }),
    );
    expect(JSON.stringify(log)).not.toContain('hunter2');
  });

  it('has its own headers in addition to those of every response', async () => {
    operation.mockResolvedValue({
      status: 200,
      body: { name: 'Fern', size: 1 },
      headers: { location: '/1', 'referrer-policy': 'no-referrer' },
    } as never);
    expect((await request()).headers).toEqual({
      location: '/1',
      'referrer-policy': 'no-referrer',
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'content-language': 'en',
      vary: 'Accept-Language',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
    });
  });

  it.each([
    ['a success', async () => ({ status: 200, body: { name: 'Fern', size: 1 } })],
    [
      'an error',
      async () => {
        throw new ServiceError('flow.busy');
      },
    ],
  ])('has the headers that the operation adds if it is %s', async (_, outcome) => {
    operation.mockImplementationOnce(async (input) => {
      const { addHeader } = input as { addHeader: (name: string, value: string) => void };
      addHeader('x-first', '1');
      addHeader('x-second', '2');
      return (await outcome()) as never;
    });
    expect((await request()).headers).toMatchObject({ 'x-first': '1', 'x-second': '2', 'x-request-id': requestId });
    expect((await request()).headers).not.toHaveProperty('x-first');
  });

  it.each([
    [401, { caller: undefined }],
    [404, { pathParameters: {} }],
    [400, { body: '{', headers: { 'content-type': 'application/json', 'accept-language': 'es' } }],
    [422, { body: {} }],
  ])('has the headers of every response if it is %d', async (status, options) => {
    const answer = await request({ headers: { 'accept-language': 'es' }, ...options });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'content-language': 'es',
      vary: 'Accept-Language',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
    });
  });

  it('is a file, byte for byte, without a content language', async () => {
    const bytes = Buffer.from([0, 255, 13, 10]);
    const file = defineContract(() => ({ ...contractFor('public'), responses: { 200: fileResponse('A file') } }));
    const headers = { 'content-type': 'image/png' };
    const dependencies = { access: fakeAccess(), now: () => now, mark };
    const handler = createHandler(file, dependencies, async () => ({ ...ok(bytes), headers }));
    expect(await handler(httpEvent({ body: { name: 'Fern' } }), { awsRequestId: requestId } as Context)).toEqual({
      statusCode: 200,
      headers: {
        'content-type': 'image/png',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': requestId,
      },
      body: bytes.toString('base64'),
      isBase64Encoded: true,
    });
  });

  it('copies no header from the request', async () => {
    const hostile = 'es\r\nset-cookie: a=b';
    const { headers } = await request({
      headers: { 'accept-language': hostile, 'x-request-id': hostile, vary: hostile },
    });
    expect(JSON.stringify(headers)).not.toContain('cookie');
    expect(headers['x-request-id']).toBe(requestId);
  });
});

describe('an exception', () => {
  it('becomes its error response, in the language of the request', async () => {
    rejecting(new ServiceError('flow.busy', { retryAfterSeconds: 2 }));
    expect(await request({ headers: { 'accept-language': 'pt' } })).toMatchObject({
      status: 409,
      headers: { 'retry-after': '2' },
      json: { message: 'Outra alteração deste Flow está em andamento. Tente de novo em instantes.' },
    });
  });

  it.each([new Error('hunter2 is the password'), 'hunter2', undefined, { message: 'hunter2' }])(
    'that is a fault of ours becomes 500 without any details',
    async (error) => {
      rejecting(error);
      const { status, text, json } = await request();
      expect(status).toBe(500);
      expect(Object.keys(json)).toEqual(['message']);
      expect(text).not.toContain('hunter2');
      expect(log).toContainEqual(expect.objectContaining({ level: 'error', event: 'request.failed' }));
    },
  );

  it('from the table becomes 500, not a denial that looks like the client’s fault', async () => {
    const access = async () => {
      throw Object.assign(new Error('Throttled'), { name: 'ProvisionedThroughputExceededException' });
    };
    expect(await request({}, { access })).toMatchObject({ status: 500 });
  });
});

describe('the log', () => {
  const lines = () => JSON.stringify(log);

  it('has one line per request, with ids, status and duration', async () => {
    await request();
    expect(log).toEqual([
      {
        level: 'info',
        event: 'request',
        operation: 'water-flow',
        status: 200,
        duration_ms: 0,
        request: requestId,
        workspace: workspace.id,
        subscriber: workspace.id,
        flow: draft.id,
        user: token.user,
      },
    ]);
  });

  it('names the user of a request that is rejected, but none without a valid token', async () => {
    await request({}, { role: 'member' });
    await request({ pathParameters: {} });
    await request({}, { token: { ...token, expires_at: now } });
    expect(log.map(({ status, user }) => [status, user])).toEqual([
      [403, token.user],
      [404, token.user],
      [401, undefined],
    ]);
  });

  it('names the number as the subscriber, and the delivery', async () => {
    const ids = { number: newId(), delivery: newId() };
    await request({ pathParameters: ids }, { as: 'public' });
    expect(log).toMatchObject([{ event: 'request', ...ids, subscriber: ids.number }]);
  });

  it('reports the duration of the request', async () => {
    let time = now;
    operation.mockImplementation(async () => {
      time += 250;
      return { status: 200, body: { name: 'Fern', size: 1 } };
    });
    const dependencies = { access: fakeAccess({ flows: [draft] }), now: () => time, mark };
    await send(createHandler(contractFor('workspace-owner'), dependencies, operation), good);
    expect(log).toMatchObject([{ event: 'request', duration_ms: 250 }]);
  });

  it('contains nothing of the input', async () => {
    const secret = 'hunter2';
    const sent: RequestOptions = {
      headers: { authorization: `Bearer ${secret}`, cookie: secret, 'content-type': 'application/json' },
      query: { times: secret },
      body: `{"name":"${secret}"`,
    };
    await request(sent);
    await request({ ...sent, query: {}, body: `{"name":["${secret}"]}` });
    await request({ ...sent, pathParameters: { workspace: secret, flow: `${secret}\n{"event":"forged"}` } });
    await request({ ...sent, query: {}, body: `{"name":"${secret}"}` });
    expect(log).toHaveLength(4);
    expect(lines()).not.toContain(secret);
    expect(lines()).not.toContain(token.hash);
  });

  it('distinguishes our faults from the rest by the level', async () => {
    await request({ body: {} });
    rejecting(new RangeError('Too much'));
    await request();
    expect(log).toMatchObject([
      { level: 'info', event: 'request', status: 422 },
      { level: 'error', event: 'request.failed', error: 'RangeError', error_message: 'Too much' },
      { level: 'error', event: 'request', status: 500 },
    ]);
  });

  it('alerts the operator if the upstream rejects our credentials, without its message', async () => {
    rejecting(new UpstreamError('credentials', 'Malformed access token EAAhunter2', { code: 190, subcode: 463 }));
    const { status, text } = await request();
    expect(status).toBe(502);
    expect(log).toContainEqual({
      level: 'error',
      request: requestId,
      workspace: workspace.id,
      subscriber: workspace.id,
      flow: draft.id,
      event: 'upstream.credentials-rejected',
      failure: 'credentials',
      upstream_code: 190,
      upstream_subcode: 463,
    });
    expect(lines() + text).not.toContain('EAAhunter2');
  });

  it('reports that the upstream failed', async () => {
    rejecting(new UpstreamError('unavailable', 'Oops, Fern', { code: 2 }));
    expect((await request()).status).toBe(502);
    expect(log).toContainEqual(expect.objectContaining({ event: 'upstream.failed', upstream_code: 2 }));
    expect(lines()).not.toContain('Fern');
  });

  it.each(['media.altered', 'media.not-ready'] as const)(
    'does not alert the operator about expected errors: %s',
    async (code) => {
      rejecting(new ServiceError(code));
      const { status } = await request();
      expect(status).toBeGreaterThanOrEqual(500);
      expect(log).toMatchObject([{ level: 'error', event: 'request', status }]);
    },
  );

  it('does not count a rejection of the upstream to the client as a fault', async () => {
    rejecting(new UpstreamError('rejected', 'Flow name is not unique', { code: 100 }));
    expect(await request()).toMatchObject({ status: 400, json: { message: 'Flow name is not unique' } });
    expect(log).toMatchObject([{ level: 'info', event: 'request', status: 400 }]);
  });
});

it('no operation that takes an Idempotency-Key starts without what keeps the responses', () => {
  const contract = defineContract(() => ({ ...contractFor('user'), idempotency: 'run-again' }));
  const dependencies = { access: fakeAccess(), now: () => now, mark };
  expect(() => createHandler(contract, dependencies as never, operation)).toThrow('keyedRequests');
});

describe('a handler of several operations', () => {
  captureLog();

  const body = z.object({ size: z.int() });
  const forMembers = defineContract(() => ({
    name: 'get-pond',
    method: 'GET',
    path: '/v2/workspaces/{workspace}/pond',
    summary: 'Read the pond',
    tag: 'Test',
    caller: 'workspace-member',
    responses: { 200: { description: 'The pond', body } },
    uses: {},
  }));
  const forOwners = defineContract(() => ({
    ...forMembers,
    name: 'get-lake',
    servedBy: forMembers.name,
    path: '/v2/workspaces/{workspace}/lake',
    caller: 'workspace-owner',
  }));

  const access = fakeAccess({ role: 'member' });
  const handler = createHandlerByRoute([forMembers, forOwners], { access, now: () => now, mark }, async () =>
    ok({ size: 1 }),
  );
  const request: RequestOptions = { caller, pathParameters: { workspace: workspace.id } };

  describe('createHandlerByRoute', () => {
    it('handles a request by the rules of the operation that its route names', async () => {
      const pond = await send(handler, { ...request, routeKey: 'GET /v2/workspaces/{workspace}/pond' });
      expect([pond.status, pond.json]).toEqual([200, { size: 1 }]);
      const lake = await send(handler, { ...request, routeKey: 'GET /v2/workspaces/{workspace}/lake' });
      expect(lake.status).toBe(403);
    });

    it('fails for a route that the function does not serve', async () => {
      const event = httpEvent({ ...request, routeKey: 'GET /v2/workspaces/{workspace}/sea' });
      await expect(handler(event, {} as Context)).rejects.toThrow('GET /v2/workspaces/{workspace}/sea');
    });
  });
});
