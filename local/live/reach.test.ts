import { createServer, type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { caPem, listen, serverCredentials } from '#support/fakes/egress.ts';
import { listenOnLoopback } from '../aws/base/http/loopback.ts';
import { startGateway } from '../aws/gateway/gateway.ts';
import { ExposedError, tryToReach, waitUntilReached } from './reach.ts';

const proofPath = '/0b7c';
const publicHost = { name: 'tunnel.example.com', routeKeys: new Set<string>(), proofPath };

async function startTestGateway(name = publicHost.name) {
  const gateway = await startGateway({
    port: 0,
    hosts,
    api: { logicalId: 'Api', routes: [], authorizers: [] },
    publicHost: { ...publicHost, name },
    invoke: () => Promise.reject(new Error('There are no functions')),
    onError: () => undefined,
  });
  onTestFinished(gateway.close);
  return gateway;
}

/** A tunnel that passes requests on under a name of its own. */
const startTunnel = (to: string, host: string) =>
  startServer((incoming, response) => pass(incoming, response, to, { host }));

/** A tunnel that passes requests on under the name with which they come, if it is one of these, or the public one. */
const startHeedlessTunnel = (to: string, names: readonly string[], added: Record<string, string> = {}) =>
  startServer(passNames(to, names, added));

function passNames(to: string, names: readonly string[], added: Record<string, string> = {}): RequestListener {
  return (incoming, response) => {
    const { host = '' } = incoming.headers;
    // For the tests, the public name leads nowhere, and the address of the tunnel stands for it.
    if (/:\d+$/.test(host)) pass(incoming, response, to, { host: publicHost.name, ...added });
    else if (names.includes(host)) pass(incoming, response, to, { host, ...added });
    else incoming.socket.destroy();
  };
}

function pass({ url = '' }: IncomingMessage, response: ServerResponse, to: string, headers: Record<string, string>) {
  request(to + url, { headers }, (passed) => {
    response.writeHead(passed.statusCode ?? 500, passed.headers);
    passed.pipe(response);
  }).end();
}

async function startServer(handle: RequestListener): Promise<string> {
  const { url, close } = await listenOnLoopback(createServer(handle), 0);
  onTestFinished(close);
  return url;
}

const localNames = ['localhost', '127.0.0.1', '[::1]', 'dev.example'];
const hosts = ['dev.example'];
const reach = (publicUrl: string) => tryToReach({ publicUrl, proofPath, localUrl: 'http://localhost:3000', hosts });

describe('the check of the public address', () => {
  it('is content when the tunnel leads to this world', async () => {
    const { url } = await startTestGateway();
    expect(await reach(await startTunnel(url, publicHost.name))).toEqual({ outcome: 'reached' });
  });

  it('notices a tunnel that makes the internet look like this machine', async () => {
    const { url } = await startTestGateway();
    const tunnel = await startTunnel(url, 'localhost:3000');
    expect(await reach(tunnel)).toMatchObject({
      outcome: 'exposed',
      text: expect.stringContaining('replaces the Host header'),
    });
    const signal = AbortSignal.timeout(60_000);
    const waiting = waitUntilReached({ publicUrl: tunnel, proofPath, localUrl: url }, { report: () => {}, signal });
    await expect(waiting).rejects.toThrow(ExposedError);
  });

  it.each(localNames)('notices a tunnel through which a request of the internet may name %s', async (name) => {
    const { url } = await startTestGateway();
    const tunnel = await startHeedlessTunnel(url, [name]);
    expect(await reach(tunnel)).toEqual({
      outcome: 'exposed',
      text: expect.stringContaining(`with "Host: ${name}", a request of the internet looks like one of this machine`),
    });
    const signal = AbortSignal.timeout(60_000);
    const waiting = waitUntilReached({ publicUrl: tunnel, proofPath, localUrl: url, hosts }, { report() {}, signal });
    await expect(waiting).rejects.toThrow(ExposedError);
  });

  it('is content with a tunnel that passes on any name, but says where requests come from', async () => {
    const { url } = await startTestGateway();
    const tunnel = await startHeedlessTunnel(url, localNames, { 'x-forwarded-for': '203.0.113.7' });
    expect(await reach(tunnel)).toEqual({ outcome: 'reached' });
  });

  it('is content with a tunnel that passes on the public name only', async () => {
    const { url } = await startTestGateway();
    expect(await reach(await startHeedlessTunnel(url, []))).toEqual({ outcome: 'reached' });
  });

  it('tries other names with the certificate of the public one', async () => {
    const { url } = await startTestGateway();
    const former = getCACertificates('default');
    setDefaultCACertificates([caPem]);
    onTestFinished(() => setDefaultCACertificates(former));
    const asked: unknown[] = [];
    const server = createHttpsServer(serverCredentials, (incoming, response) => {
      asked.push((incoming.socket as TLSSocket).servername);
      passNames(url, ['dev.example'])(incoming, response);
    });
    const { port } = await listen(server);
    expect(await reach(`https://localhost:${port}`)).toMatchObject({
      outcome: 'exposed',
      text: expect.stringContaining('only requests for localhost.'),
    });
    expect(asked).toEqual(Array(1 + localNames.length).fill('localhost'));
  });

  it('says that nothing answers', async () => {
    const url = await startServer(({ socket }) => socket.destroy());
    expect(await reach(url)).toMatchObject({
      outcome: 'unreached',
      text: expect.stringContaining('does not respond ('),
    });
    expect(await reach('https://tunnel.invalid')).toMatchObject({
      text: expect.stringMatching(/^https:\/\/tunnel.invalid does not respond \(E\w+\). Is the tunnel running/),
    });
  });

  it('says that the tunnel passes on another name', async () => {
    const { url } = await startTestGateway();
    expect(await reach(await startTunnel(url, 'other.example.com'))).toMatchObject({
      outcome: 'unreached',
      text: expect.stringContaining('must pass the Host header on'),
    });
  });

  it.each([
    [502, 'responds with 502: the tunnel does not reach http://localhost:3000.'],
    [302, 'redirects (status 302).'],
    [404, 'leads to something else (status 404), not to this world at http://localhost:3000.'],
    [200, 'leads to something else (status 200), not to this world at http://localhost:3000.'],
  ])('explains a status of %i', async (status, text) => {
    const url = await startServer((_, response) => response.writeHead(status, { location: '/' }).end('<html>'));
    expect(await reach(url)).toMatchObject({ outcome: 'unreached', text: expect.stringContaining(text) });
  });

  it('reports that the address is reached, once it is', async () => {
    const { url } = await startTestGateway();
    const publicUrl = await startTunnel(url, publicHost.name);
    const reports: string[] = [];
    const signal = AbortSignal.timeout(60_000);
    await waitUntilReached({ publicUrl, proofPath, localUrl: url }, { report: (text) => reports.push(text), signal });
    expect(reports).toEqual([`reached: ${publicUrl} leads to this world`]);
  });
});
