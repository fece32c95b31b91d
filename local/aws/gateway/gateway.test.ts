import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Invoke, RequestTooLargeError, ThrottledError } from '../lambda/invocation.ts';
import type { HttpApi } from '../template/http-api.ts';
import { type GatewayOptions, startGateway } from './gateway.ts';

const route = (routeKey: string, changes: object = {}) => ({
  routeKey,
  functionName: 'echo',
  timeoutMilliseconds: 5_000,
  ...changes,
});
const api: HttpApi = {
  logicalId: 'Api',
  routes: [
    route('GET /open/{id}'),
    route('POST /open/{id}'),
    route('GET /any'),
    route('GET /slow', { functionName: 'slow', timeoutMilliseconds: 20 }),
    ...['failing', 'throttled', 'tooLarge', 'malformed', 'cookies'].map((functionName) =>
      route(`GET /${functionName}`, { functionName }),
    ),
  ],
};

const answer = (value: unknown) => ({ payload: JSON.stringify(value) });
const functions: Record<string, (event: Record<string, unknown>) => ReturnType<Invoke>> = {
  echo: async (event) => answer(event),
  slow: () => new Promise(() => undefined),
  failing: async () => ({ payload: '{"errorMessage":"secret"}', functionError: 'Unhandled' }),
  throttled: () => Promise.reject(new ThrottledError()),
  tooLarge: () => Promise.reject(new RequestTooLargeError()),
  malformed: async () => answer({ statusCode: 'x' }),
  cookies: async () => answer({ statusCode: 200, cookies: ['a=1', 'b=2'], body: 'fine' }),
};

async function start(overrides: typeof functions = {}, options: Partial<GatewayOptions> = {}) {
  const errors: Error[] = [];
  const gateway = await startGateway({
    port: 0,
    api,
    ...options,
    invoke: async (name, payload) => ({ ...functions, ...overrides })[name]?.(JSON.parse(payload)) ?? answer(null),
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => gateway.close());
  return { gateway, errors, request: (path: string, init?: RequestInit) => fetch(gateway.url + path, init) };
}

/** Sends bytes as they are, and reads to the end of the connection. */
async function sendRaw(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.end(bytes);
  return text(socket);
}

describe('startGateway', () => {
  it('passes a request to its function, and returns the response', async () => {
    const { request } = await start();
    const response = await request('/open/a%2Fb?x=1', {
      method: 'POST',
      body: '{"a":1}',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    const requestId = response.headers.get('apigw-requestid');
    expect(requestId).toMatch(/^[\w-]{15}=$/);
    expect(await response.json()).toMatchObject({
      routeKey: 'POST /open/{id}',
      rawPath: '/open/a/b',
      pathParameters: { id: 'a/b' },
      body: '{"a":1}',
      requestContext: { requestId, http: { method: 'POST', sourceIp: '127.0.0.1' } },
    });
  });

  it('sends each cookie in a header of its own', async () => {
    const { request } = await start();
    const response = await request('/cookies');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.text()).toBe('fine');
  });

  it('states the length of a body, and none where there can be no body', async () => {
    const { request } = await start({
      echo: async ({ rawPath }) => answer(rawPath === '/any' ? { statusCode: 204 } : { statusCode: 200, body: 'é' }),
    });
    expect((await request('/open/1')).headers.get('content-length')).toBe('2');
    const empty = await request('/any');
    expect([empty.status, empty.headers.get('content-length')]).toEqual([204, null]);
  });

  it.each([
    ['no route', '/nope', {}, 404, 'Not Found'],
    ['another method', '/slow', { method: 'DELETE' }, 404, 'Not Found'],
    ['a path that is not percent-encoding', '/open/%ff', {}, 400, 'Bad Request'],
    ['a function that failed', '/failing', {}, 500, 'Internal Server Error'],
    ['a malformed response', '/malformed', {}, 500, 'Internal Server Error'],
    ['a throttled function', '/throttled', {}, 503, 'Service Unavailable'],
    ['a function that takes too long', '/slow', {}, 503, 'Service Unavailable'],
    ['an event that is too large', '/tooLarge', {}, 413, 'Request Entity Too Large'],
  ])('responds without a function to %s', async (_, path, init, status, message) => {
    const { request } = await start();
    const response = await request(path, init);
    expect(response.status).toBe(status);
    expect(response.headers.get('apigw-requestid')).toBeTruthy();
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({ message });
  });

  it('reports errors in the log, but not to the client', async () => {
    const { request, errors } = await start();
    await request('/malformed');
    expect(errors.map(({ message }) => message)).toEqual(['Malformed result: {"statusCode":"x"}']);
  });

  it('does not treat HEAD as GET', async () => {
    const { request } = await start();
    expect((await request('/open/1', { method: 'HEAD' })).status).toBe(404);
  });

  it('accepts bodies of up to 10 MB, and continues after larger ones', async () => {
    const { request } = await start({ echo: async ({ body }) => answer(String(body).length) });
    const post = (size: number) =>
      request('/open/1', { method: 'POST', body: 'x'.repeat(size), headers: { 'content-type': 'text/plain' } });
    expect(await (await post(10 * 1024 * 1024)).json()).toBe(10 * 1024 * 1024);
    const rejected = await post(10 * 1024 * 1024 + 1);
    expect([rejected.status, await rejected.json()]).toEqual([413, { message: 'Request Entity Too Large' }]);
    expect((await post(1)).status).toBe(200);
  });

  it('accepts headers of up to 10,240 bytes', async () => {
    const { request } = await start();
    expect((await request('/any', { headers: { 'x-long': 'x'.repeat(9_500) } })).status).toBe(200);
    const rejected = await request('/any', { headers: { 'x-long': 'x'.repeat(10_240) } });
    expect([rejected.status, await rejected.json()]).toEqual([431, { message: 'Request Header Fields Too Large' }]);
    expect(rejected.headers.get('apigw-requestid')).toBeTruthy();
  });

  it.each([
    ['an absolute target', 'GET http://evil.test/any?a=b HTTP/1.1', '200 OK'],
    ['dot segments', 'GET /open/../any HTTP/1.1', '404 Not Found'],
    ['a target that is not a path', 'OPTIONS * HTTP/1.1', '404 Not Found'],
    ['what is not HTTP', 'hello', '400 Bad Request'],
  ])('handles %s without a failure', async (_, line, status) => {
    const { gateway } = await start();
    const answered = await sendRaw(gateway.url, `${line}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(answered).toContain(`HTTP/1.1 ${status}\r\n`);
  });

  it('continues after a client disconnects', async () => {
    const { gateway, request } = await start();
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    socket.write('POST /open/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc');
    await once(socket, 'connect');
    socket.destroy();
    expect((await request('/any')).status).toBe(200);
  });

  it('finishes running requests when it closes, and accepts no more', async () => {
    const arrived = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const { gateway, request } = await start({
      echo: async () => {
        arrived.resolve();
        await gate.promise;
        return answer('done');
      },
    });
    const running = request('/any');
    await arrived.promise;
    const closed = gateway.close();
    gate.resolve();
    expect(await (await running).text()).toBe('done');
    await closed;
    await expect(request('/any')).rejects.toThrow('fetch failed');
  });

  it('fails at once if the port is taken', async () => {
    const { gateway } = await start();
    const port = Number(new URL(gateway.url).port);
    await expect(startGateway({ port, api, invoke: async () => answer(null), onError() {} })).rejects.toThrow(
      'EADDRINUSE',
    );
  });
});

describe('the gateway', () => {
  const withHost = (host: string, path: string) => `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;

  it('responds to the names of this machine only, unless it takes all names', async () => {
    const request = withHost('tunnel.example.com', '/open/1');
    expect(await sendRaw((await start()).gateway.url, request)).toMatch(/^HTTP\/1.1 421 /);
    expect(await sendRaw((await start({}, { hosts: 'all' })).gateway.url, request)).toMatch(/^HTTP\/1.1 200 /);
  });

  it('proves at a secret path that a request has reached it', async () => {
    const { gateway } = await start({}, { proof: { path: '/0b7c', text: 'here' } });
    expect(await sendRaw(gateway.url, withHost('localhost', '/0b7c'))).toMatch(/"here"$/);
    expect(await sendRaw(gateway.url, withHost('localhost', '/0b7d'))).toMatch(/^HTTP\/1.1 404 /);
  });
});
