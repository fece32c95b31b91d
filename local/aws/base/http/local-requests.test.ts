import { mkdtempSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openConsole } from '#local/console/console.ts';
import type { World } from '#local/world.ts';
import { testSigners } from '#support/aws/aws-credentials.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { startTestUpstream } from '#support/worlds/simulated-graph.ts';
import { startGateway } from '../../gateway/gateway.ts';
import { startS3 } from '../../s3/server.ts';
import { startSecretsManager } from '../../secrets-manager/server.ts';
import { startSqs } from '../../sqs/server.ts';
import { type LocalRequestOptions, localRequests } from './local-requests.ts';
import { listenOnLoopback } from './loopback.ts';

/** Sends a request with exactly these headers, which `fetch` would not; the response's status and text. */
function send(url: string, headers: Record<string, string> | readonly string[], { method = 'GET', body = '' } = {}) {
  return new Promise<[number | undefined, string]>((resolve, reject) => {
    const request = httpRequest(url, { method, headers }, async (response) => {
      resolve([response.statusCode, Buffer.concat(await response.toArray()).toString()]);
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function start(options: LocalRequestOptions = {}): Promise<string> {
  const server = createServer(localRequests((_, response) => void response.end('handled'), options));
  const { url, close } = await listenOnLoopback(server, 0);
  onTestFinished(close);
  return url;
}

describe('a request to the local world', () => {
  it.each(['localhost', 'LOCALHOST:3000', '127.0.0.1', '127.0.0.1:1', '[::1]', '[::1]:3000'])(
    'is handled with the host %s',
    async (host) => {
      expect(await send(await start(), { host })).toEqual([200, 'handled']);
    },
  );

  it.each([
    'attacker.example',
    'attacker.example:3000',
    'localhost.attacker.example',
    '127.0.0.1.attacker.example',
    'attacker.example@localhost',
    'localhost:3000:3000',
    '192.168.0.7',
    '[::2]',
  ])('is rejected with the host "%s", whose DNS may point to this machine', async (host) => {
    const [status, text] = await send(await start(), { host });
    expect([status, JSON.parse(text)]).toEqual([421, { message: expect.stringContaining(`not to "${host}"`) }]);
  });

  it.each([
    ['localhost', 'attacker.example'],
    ['attacker.example', 'localhost'],
    ['localhost', 'localhost'],
  ])('is rejected with the two hosts %s and %s, of which a proxy may have read the other one', async (...hosts) => {
    const [status, text] = await send(await start(), ['host', String(hosts[0]), 'Host', String(hosts[1])]);
    expect([status, JSON.parse(text)]).toEqual([400, { message: 'The request has more than one Host header.' }]);
  });

  it('is handled with an additional configured host', async () => {
    const url = await start({ hosts: ['host.docker.internal'] });
    expect(await send(url, { host: 'Host.Docker.Internal:3001' })).toEqual([200, 'handled']);
    expect((await send(url, { host: 'docker.internal' }))[0]).toBe(421);
  });

  it('is handled with any address in numbers if the server accepts them', async () => {
    const url = await start({ acceptsAddresses: true });
    expect(await send(url, { host: '172.17.0.1:3001' })).toEqual([200, 'handled']);
    expect((await send(url, { host: '172.17.0.1.attacker.example' }))[0]).toBe(421);
  });
});

describe('a request of a page', () => {
  const foreign: [string, Record<string, string>][] = [
    ['of another site', { origin: 'https://attacker.example' }],
    ['that says nothing of itself', { origin: 'null' }],
    ['of another site, by the word of the browser', { 'sec-fetch-site': 'cross-site' }],
    ['of another port of this machine', { origin: 'http://localhost:5173' }],
    ['of another port, by the word of the browser', { 'sec-fetch-site': 'same-site' }],
    [
      'that shows this server in a frame',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    ],
  ];

  it.each(foreign)('%s is rejected, also if it only reads', async (_, headers) => {
    const url = await start();
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      expect((await send(url, { host: 'localhost', ...headers }, { method }))[0]).toBe(403);
    }
  });

  it.each(foreign)('%s is handled if the server asks for signatures', async (_, headers) => {
    const url = await start({ acceptsFromForeignPages: 'all' });
    expect(await send(url, { host: 'localhost', ...headers }, { method: 'POST' })).toEqual([200, 'handled']);
  });

  it.each(foreign)('%s can only read if the server asks for tokens', async (_, headers) => {
    const url = await start({ acceptsFromForeignPages: 'reads' });
    expect(await send(url, { host: 'localhost', ...headers })).toEqual([200, 'handled']);
    expect((await send(url, { host: 'localhost', ...headers }, { method: 'POST' }))[0]).toBe(403);
  });

  it.each([
    ['is not a page', {}],
    ['is a page of the server itself', { origin: 'http://localhost:3001', 'sec-fetch-site': 'same-origin' }],
    ['is a page of the server itself that has no referrer', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    ['is a page of the server itself, in a browser that says less', { origin: 'http://localhost:3001' }],
  ])('is handled if its source %s', async (_, headers) => {
    const sent = await send(await start(), { host: 'LocalHost:3001', ...headers }, { method: 'POST' });
    expect(sent).toEqual([200, 'handled']);
  });

  it('of another site is handled if somebody follows a link, and not if a form is sent', async () => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    const url = await start();
    expect(await send(url, { host: 'localhost', ...link })).toEqual([200, 'handled']);
    expect((await send(url, { host: 'localhost', ...link }, { method: 'POST' }))[0]).toBe(403);
  });
});

describe('every server of the local world', () => {
  const description = { workspaces: [], numbers: [], tokens: {}, base_url: '', upstream_url: '' };
  const servers = {
    gateway: () =>
      startGateway({
        port: 0,
        api: { logicalId: 'Api', routes: [] },
        invoke: () => Promise.reject(new Error('There are no functions')),
        onError: () => undefined,
      }),
    'simulated upstream': startTestUpstream,
    console: () =>
      openConsole().serve({ description, table: {} } as unknown as World, { port: 0, assets: import.meta.dirname }),
    async DynamoDB() {
      const { endpoint: url, close } = await startTestTable();
      return { url, close };
    },
    SQS: () => startSqs({ signers: testSigners }),
    'Secrets Manager': () => startSecretsManager({ signers: testSigners }),
    S3: () => startS3({ dataDir: mkdtempSync(join(tmpdir(), 'local-requests-')), buckets: [], signers: testSigners }),
  };

  it.each(Object.entries(servers))('rejects other hosts: the %s', async (_, startServer) => {
    const { url, close } = await startServer();
    onTestFinished(close);
    expect((await send(url, { host: 'attacker.example' }))[0]).toBe(421);
    expect((await send(url, { host: 'localhost' }))[0]).not.toBe(421);
  });

  it.each(Object.entries(servers))('lets no page of another site read: the %s', async (_, startServer) => {
    const { url, close } = await startServer();
    onTestFinished(close);
    // Without this header, browsers keep the response from the page.
    const { headers } = await fetch(url, { headers: { origin: 'https://attacker.example' } });
    expect(headers.has('access-control-allow-origin')).toBe(false);
  });

  it.each([
    ['simulated upstream', '/simulator/messages'],
    ['console', '/stream'],
    ['DynamoDB', '/'],
    ['SQS', '/'],
    ['Secrets Manager', '/'],
  ] as const)('rejects pages of other sites that read: the %s at %s', async (name, path) => {
    const { url, close } = await servers[name]();
    onTestFinished(close);
    const { status } = await fetch(url + path, { headers: { origin: 'https://attacker.example' } });
    expect(status).toBe(403);
  });
});

describe('the control surface of the simulated upstream', () => {
  it.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/jsonp', 415],
    ['', 415],
    ['application/json', 200],
    ['application/json; charset=utf-8', 200],
  ])('responds to a body of the type "%s" with %d', async (type, status) => {
    const { url, close } = await startTestUpstream();
    onTestFinished(close);
    const post = { method: 'PATCH', body: '{"ring_seconds": 30}' };
    const headers = { host: 'localhost', ...(type && { 'content-type': type }) };
    expect((await send(`${url}/simulator/calling`, headers, post))[0]).toBe(status);
  });

  it('accepts an empty body without a type', async () => {
    const { url, close } = await startTestUpstream();
    onTestFinished(close);
    expect((await send(`${url}/simulator/faults`, { host: 'localhost' }, { method: 'DELETE' }))[0]).toBe(200);
  });
});
