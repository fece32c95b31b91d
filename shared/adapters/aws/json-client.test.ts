import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startHttpServer, type TestServer } from '#test/support/http-server.ts';
import type { AwsError } from './aws-error.ts';
import type { Connection } from './connection.ts';
import { type JsonClient, jsonClient } from './json-client.ts';

const credentials = { accessKeyId: 'AKID', secretAccessKey: 'secret' };

interface Response {
  status?: number;
  body?: string;
  /**
   * Ends the connection without a response, or in the middle of one, says nothing at all, or speaks another protocol.
   */
  fault?: 'reset' | 'cut-off' | 'silence' | 'switch';
}

/** What the service does with one request after the other; the last one stands for all that follow. */
let responses: Response[];
let server: TestServer;
let client: JsonClient<{ Ask: { input: object; output: object } }>;

const open = (timeoutMs: number, overrides: Partial<Connection> = {}) =>
  jsonClient<{ Ask: { input: object; output: object } }>(
    { service: 'dynamodb', target: 'Target_1', version: '1.0', timeoutMs },
    { endpoint: server.url, region: 'eu-west-1', credentials, ...overrides },
  );

beforeEach(async () => {
  // Pauses are random; without randomness there are none.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  server = await startHttpServer((request, response) => {
    const { status = 200, body = '{}', fault } = responses[server.requests.length - 1] ?? responses.at(-1) ?? {};
    if (fault === 'reset') request.socket.destroy();
    else if (fault === 'cut-off') {
      response.writeHead(200, { 'content-length': 100 }).write('{"Found":', () => request.socket.destroy());
    } else if (fault === 'switch') {
      request.socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n');
    } else if (fault === undefined) response.writeHead(status).end(body);
  });
  client = open(60_000);
});
afterEach(async () => {
  vi.restoreAllMocks();
  client.destroy();
  await server.close();
});

const error = (code: string, status = 400): Response => ({ status, body: JSON.stringify({ __type: code }) });

describe('a call', () => {
  it('names the operation, carries its input as JSON and returns the output', async () => {
    responses = [{ body: '{"Found":["é 😀"]}' }];
    expect(await client.call('Ask', { For: 'é 😀', absent: undefined })).toEqual({ Found: ['é 😀'] });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      url: '/',
      body: '{"For":"é 😀"}',
      headers: {
        'x-amz-target': 'Target_1.Ask',
        'content-type': 'application/x-amz-json-1.0',
        'content-length': '17',
        host: new URL(server.url).host,
      },
    });
  });

  it('is signed for its service and region', async () => {
    responses = [{}];
    await client.call('Ask', {});
    const { authorization = '', ...headers } = server.requests[0]?.headers ?? {};
    expect(authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/dynamodb\/aws4_request, SignedHeaders=\S+, Signature=[\da-f]{64}$/,
    );
    expect(authorization).toMatch(/SignedHeaders=content-type;host;x-amz-date;x-amz-target,/);
    expect(headers).not.toHaveProperty('x-amz-security-token');
  });

  it('carries the token of temporary credentials, and asks for the credentials of the moment', async () => {
    responses = [{}];
    let asked = 0;
    const rotating = open(60_000, {
      credentials: async () => ({ ...credentials, sessionToken: `token-${++asked}` }),
    });
    await rotating.call('Ask', {});
    await rotating.call('Ask', {});
    rotating.destroy();
    expect(server.requests.map(({ headers }) => headers['x-amz-security-token'])).toEqual(['token-1', 'token-2']);
  });

  it('uses the connection of the one before', async () => {
    responses = [{}];
    const ports = new Set<number | undefined>();
    const many = await startHttpServer((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('{}');
    });
    const calls = open(60_000, { endpoint: many.url });
    for (let count = 0; count < 3; count++) await calls.call('Ask', {});
    expect(ports.size).toBe(1);
    calls.destroy();
    await many.close();
  });
});

describe('an error of the service', () => {
  it.each([
    ['{"__type":"com.amazonaws.dynamodb.v20120810#SomeException","message":"Why"}', 'SomeException', 'Why'],
    ['{"__type":"SomeException","Message":"Why"}', 'SomeException', 'Why'],
    ['{"message":"Why"}', 'HTTP 400', 'Why'],
    ['<html>', 'HTTP 400', 'The service returned 400'],
    ['', 'HTTP 400', 'The service returned 400'],
  ])('has its code, its message and what else it says: %s', async (body, name, message) => {
    responses = [{ status: 400, body }];
    await expect(client.call('Ask', {})).rejects.toMatchObject({ name, message, status: 400 });
    expect(server.requests).toHaveLength(1);
  });

  it('keeps its other members, but shows them to nobody who prints it', async () => {
    responses = [{ status: 400, body: '{"__type":"a#B","Item":{"pk":{"S":"canary"}}}' }];
    const failure: AwsError = await client.call('Ask', {}).then(
      () => expect.unreachable(),
      (error) => error,
    );
    expect(failure.details).toMatchObject({ Item: { pk: { S: 'canary' } } });
    expect(JSON.stringify(failure) + inspect(failure)).not.toContain('canary');
  });
});

describe('a failure that may go away', () => {
  it.each<[string, Response]>([
    ['a fault of the service', error('InternalServerError', 500)],
    ['a fault of the service without JSON', { status: 503, body: 'no' }],
    ['too many requests', error('ThrottlingException')],
    ['too many requests for a partition', error('ProvisionedThroughputExceededException')],
    ['a closed connection', { fault: 'reset' }],
    ['a response that is not JSON', { body: 'no' }],
    ['a response that is not whole', { body: '{"Found":' }],
    ['a connection that ends in the middle of a response', { fault: 'cut-off' }],
    ['another protocol', { fault: 'switch' }],
  ])('is tried again: %s', async (_, failure) => {
    responses = [failure, failure, { body: '{"Found":1}' }];
    expect(await client.call('Ask', { For: 1 })).toEqual({ Found: 1 });
    expect(server.requests.map(({ body }) => body)).toEqual(Array(3).fill('{"For":1}'));
  });

  it.each<[string, Response]>([
    ['a fault of the service', error('InternalServerError', 500)],
    ['a closed connection', { fault: 'reset' }],
  ])('is tried three times at most: %s', async (_, failure) => {
    responses = [failure];
    await expect(client.call('Ask', {})).rejects.toThrow();
    expect(server.requests).toHaveLength(3);
  });

  it('is an idle connection that the service has closed, as after a function was frozen, and costs no time', async () => {
    // A pause would take hours.
    vi.spyOn(Math, 'random').mockReturnValue(1e5);
    responses = [{ body: '{"Found":1}' }];
    const closing = await startHttpServer((_, response) => {
      response.writeHead(200, { 'keep-alive': 'timeout=600' }).end('{"Found":1}');
      // Each connection ends with its second request.
      if (closing.requests.length % 2 === 0) response.socket?.destroy();
    });
    const frozen = open(60_000, { endpoint: closing.url });
    for (let count = 0; count < 3; count++) expect(await frozen.call('Ask', {})).toEqual({ Found: 1 });
    frozen.destroy();
    await closing.close();
  });

  it('is a service that does not respond in time', async () => {
    responses = [{ fault: 'silence' }];
    const hasty = open(5);
    await expect(hasty.call('Ask', {})).rejects.toMatchObject({
      name: 'TimeoutError',
      message: expect.stringContaining('did not respond within 5 ms'),
    });
    hasty.destroy();
  });

  it('is a service that nobody runs', async () => {
    const { url, close } = await startHttpServer(() => {});
    await close();
    const nowhere = open(60_000, { endpoint: url });
    await expect(nowhere.call('Ask', {})).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    nowhere.destroy();
  });
});

describe('without credentials', () => {
  it('a call fails, and nothing is sent', async () => {
    let asked = 0;
    const failing = open(60_000, {
      credentials: async () => {
        asked++;
        throw new Error('no credentials');
      },
    });
    await expect(failing.call('Ask', {})).rejects.toThrow('no credentials');
    expect(asked).toBe(1);
    expect(server.requests).toEqual([]);
    failing.destroy();
  });
});
