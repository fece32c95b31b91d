import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach } from 'vitest';
import { type StrictRule, testStrictRules } from '#support/strict-rules.ts';
import type { LoopbackServer } from '../base/http/loopback.ts';
import { type Invoke, maxRequestBytes, RequestTooLargeError, ThrottledError } from '../lambda/invocation.ts';
import { startGateway } from './gateway.ts';

const route = (routeKey: string) => ({ routeKey, functionName: 'operation', timeoutMilliseconds: 5_000 });

/** What the function of every route does. A row sets it. */
let operation: Invoke;
let gateway: LoopbackServer;

beforeEach(async () => {
  operation = async () => ({ payload: '{"statusCode":200}' });
  gateway = await startGateway({
    port: 0,
    api: {
      logicalId: 'Api',
      routes: [
        route('GET /items/{item}'),
        route('POST /items/{item}'),
        route('GET /any'),
        { ...route('GET /slow'), timeoutMilliseconds: 20 },
      ],
    },
    invoke: (name, payload) => operation(name, payload),
    onError: () => undefined,
  });
});
afterEach(() => gateway.close());

/** Rejects for a status of an error, which becomes the error's name. */
function demandSuccess(status: number): void {
  if (status >= 400) throw Object.assign(new Error(`The status is ${status}`), { name: String(status) });
}

const request =
  (path: string, init: RequestInit = {}) =>
  async () => {
    const response = await fetch(gateway.url + path, init);
    await response.arrayBuffer();
    demandSuccess(response.status);
  };

/** Sends a path that `fetch` would change. */
const requestRaw = (path: string) => async () => {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.end(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  const [, status] = (await text(socket)).split(' ');
  demandSuccess(Number(status));
};

const post = (bytes: number) =>
  request('/items/1', { method: 'POST', body: 'x'.repeat(bytes), headers: { 'content-type': 'text/plain' } });

/** The function returns this. */
const result = (value: unknown) => async () => {
  operation = async () => ({ payload: JSON.stringify(value) });
  await request('/any')();
};
const invocation =
  (invoke: Invoke, path = '/any') =>
  async () => {
    operation = invoke;
    await request(path)();
  };

const quotas = 'Quotas for configuring and running an HTTP API';
const lambdaIntegrations = 'Create AWS Lambda proxy integrations for HTTP APIs';
const routing = 'Create routes for HTTP APIs';

/** `page` is the title of a page of the API Gateway Developer Guide, unless it says otherwise. */
const rules: readonly StrictRule[] = [
  {
    rule: 'a body has at most 10 MB',
    page: quotas,
    accepted: post(10 * 1024 ** 2),
    rejected: post(10 * 1024 ** 2 + 1),
    error: '413',
  },
  {
    rule: 'an event has at most 6 MB',
    page: 'Lambda: Lambda quotas',
    accepted: invocation(async () => ({ payload: '{}' })),
    rejected: invocation(async (_, payload) => {
      if (payload.length <= maxRequestBytes) throw new RequestTooLargeError();
      return { payload };
    }),
    error: '413',
  },
  {
    rule: 'the request line and the headers have at most 10,240 bytes',
    page: quotas,
    accepted: request('/any', { headers: { 'x-long': 'x'.repeat(9_500) } }),
    rejected: request('/any', { headers: { 'x-long': 'x'.repeat(10_240) } }),
    error: '431',
  },
  {
    rule: 'the query counts among the 10,240 bytes',
    page: quotas,
    accepted: request(`/any?a=${'x'.repeat(9_500)}`),
    rejected: request(`/any?a=${'x'.repeat(10_240)}`),
    error: '431',
  },
  {
    rule: 'a route has its method only',
    page: routing,
    accepted: request('/items/1'),
    rejected: request('/items/1', { method: 'DELETE' }),
    error: '404',
  },
  {
    rule: 'a slash at the end makes another path',
    page: routing,
    accepted: request('/any'),
    rejected: request('/any/'),
    error: '404',
  },
  {
    rule: 'two slashes are not one',
    page: routing,
    accepted: requestRaw('/items/1'),
    rejected: requestRaw('//items/1'),
    error: '404',
  },
  {
    rule: 'a variable is not empty',
    page: routing,
    accepted: requestRaw('/items/%20'),
    rejected: requestRaw('/items/'),
    error: '404',
  },
  {
    rule: 'paths are case-sensitive',
    page: routing,
    accepted: request('/any'),
    rejected: request('/Any'),
    error: '404',
  },
  {
    rule: 'a path is valid percent-encoding of UTF-8',
    page: routing,
    accepted: requestRaw('/items/%C3%BC'),
    rejected: requestRaw('/items/%FC'),
    error: '400',
  },
  {
    rule: 'a function responds in time',
    page: quotas,
    accepted: invocation(async () => ({ payload: '{}' }), '/slow'),
    rejected: invocation(() => new Promise(() => undefined), '/slow'),
    error: '503',
  },
  {
    rule: 'a function has room for a request',
    page: 'Lambda: Lambda function scaling',
    accepted: invocation(async () => ({ payload: '{}' })),
    rejected: invocation(() => Promise.reject(new ThrottledError())),
    error: '503',
  },
  {
    rule: 'a function succeeds',
    page: lambdaIntegrations,
    accepted: invocation(async () => ({ payload: '{}' })),
    rejected: invocation(async () => ({ payload: '{}', functionError: 'Unhandled' })),
    error: '500',
  },
  ...[
    ['a status is a whole number', { statusCode: 200 }, { statusCode: '200' }],
    ['a status is at most 599', { statusCode: 299 }, { statusCode: 600 }],
    ['headers have one value each', { headers: { a: 'b' } }, { headers: { a: ['b', 'c'] } }],
    ['headers are an object', { headers: {} }, { headers: 'a: b' }],
    ['cookies are a list', { cookies: ['a=b'] }, { cookies: 'a=b' }],
    ['a body is a text', { body: '{}' }, { body: {} }],
    ['a header has no line end', { headers: { a: 'b' } }, { headers: { a: 'b\r\nc: d' } }],
    ['a header has a valid name', { headers: { 'a-b': 'c' } }, { headers: { 'a b': 'c' } }],
  ].map(([rule, accepted, rejected]) => ({
    rule: String(rule),
    page: lambdaIntegrations,
    accepted: result({ statusCode: 200, ...(accepted as object) }),
    rejected: result({ statusCode: 200, ...(rejected as object) }),
    error: '500',
  })),
];

testStrictRules(rules);
