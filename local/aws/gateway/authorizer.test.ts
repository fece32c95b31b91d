import { describe, expect, it } from 'vitest';
import { type InvokeResult, ThrottledError } from '../lambda/invocation.ts';
import type { Authorizer } from '../template/http-api.ts';
import { AuthorizerError, createAuthorizer } from './authorizer.ts';
import { buildRequestEvent } from './event.ts';

const eventOf = (headers: Record<string, string>, rawQueryString = '', routeKey = 'GET /a') =>
  buildRequestEvent(
    {
      method: 'GET',
      rawPath: '/a',
      rawQueryString,
      httpVersion: '1.1',
      rawHeaders: Object.entries(headers).flat(),
      body: Buffer.alloc(0),
      sourceIp: '127.0.0.1',
      port: 1,
    },
    { apiId: 'Api', requestId: 'id', routeKey, pathParameters: {}, time: new Date(0) },
  );

function create(answer: unknown | (() => Promise<InvokeResult>), changes: Partial<Authorizer> = {}) {
  const clock = { now: 0 };
  const questions: { identitySource: string[] }[] = [];
  const authorizer: Authorizer = {
    id: 'Authorizer',
    functionName: 'authorize',
    identitySources: ['$request.header.Authorization'],
    ttlSeconds: 10,
    ...changes,
  };
  const authorize = createAuthorizer(authorizer, {
    async invoke(functionName, payload) {
      expect(functionName).toBe('authorize');
      questions.push(JSON.parse(payload));
      return typeof answer === 'function' ? answer() : { payload: JSON.stringify(answer) };
    },
    region: 'us-east-1',
    now: () => clock.now,
  });
  return { authorize, questions, clock };
}

describe('createAuthorizer', () => {
  it('allows a request with the context of its function', async () => {
    const { authorize, questions } = create({ isAuthorized: true, context: { user: 'u1' } });
    const decision = await authorize(eventOf({ authorization: 'Bearer x' }));
    expect(decision).toEqual({ outcome: 'authorized', context: { user: 'u1' } });
    expect(questions).toMatchObject([{ type: 'REQUEST', version: '2.0', identitySource: ['Bearer x'] }]);
  });

  it('forbids a request that its function rejects', async () => {
    const { authorize } = create({ isAuthorized: false });
    expect(await authorize(eventOf({ authorization: 'Bearer x' }))).toEqual({ outcome: 'forbidden' });
  });

  it.each([{}, { authorization: '' }, { other: 'x' }])(
    'does not call its function without an identity: %j',
    async (headers) => {
      const { authorize, questions } = create({ isAuthorized: true });
      expect(await authorize(eventOf(headers))).toEqual({ outcome: 'unauthorized' });
      expect(questions).toEqual([]);
    },
  );

  it('caches the result for an identity, whatever the result', async () => {
    const { authorize, questions, clock } = create({ isAuthorized: false });
    const event = eventOf({ authorization: 'Bearer x' });
    await Promise.all([authorize(event), authorize(event)]);
    clock.now = 9_999;
    await authorize(event);
    expect(questions.length).toBe(1);
    await authorize(eventOf({ authorization: 'Bearer y' }));
    expect(questions.length).toBe(2);
    clock.now = 10_000;
    await authorize(event);
    expect(questions.length).toBe(3);
  });

  it('calls its function each time if caching is off', async () => {
    const { authorize, questions } = create({ isAuthorized: true }, { ttlSeconds: 0 });
    await authorize(eventOf({ authorization: 'x' }));
    await authorize(eventOf({ authorization: 'x' }));
    expect(questions.length).toBe(2);
  });

  it('requires every identity source, and caches results by all of them', async () => {
    const identitySources = ['$request.header.a', '$request.querystring.b', '$context.routeKey'];
    const { authorize, questions } = create({ isAuthorized: true }, { identitySources });
    expect(await authorize(eventOf({ a: '1' }))).toEqual({ outcome: 'unauthorized' });
    await authorize(eventOf({ a: '1' }, 'b=2'));
    await authorize(eventOf({ a: '1' }, 'b=2', 'GET /b'));
    expect(questions.map(({ identitySource }) => identitySource)).toEqual([
      ['1', '2', 'GET /a'],
      ['1', '2', 'GET /b'],
    ]);
  });

  it.each([
    ['fails', async () => ({ payload: '{}', functionError: 'Unhandled' })],
    ['is throttled', () => Promise.reject(new ThrottledError())],
    ['does not say whether', {}],
    ['says so in words', { isAuthorized: 'true' }],
    ['sends nothing', null],
  ])('fails if its function %s, and calls it again next time', async (_, answer) => {
    const { authorize, questions } = create(answer);
    await expect(authorize(eventOf({ authorization: 'x' }))).rejects.toThrow(AuthorizerError);
    await expect(authorize(eventOf({ authorization: 'x' }))).rejects.toThrow(AuthorizerError);
    expect(questions.length).toBe(2);
  });

  it('rejects identity sources that it cannot read', () => {
    expect(() => create({}, { identitySources: ['$stageVariables.x'] })).toThrow('$stageVariables.x');
  });
});
