import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenOnLoopback } from '../aws/base/http/loopback.ts';
import { startGateway } from '../aws/gateway/gateway.ts';
import { ExposedError, tryToReach, waitUntilReached } from './reach.ts';

const proofPath = '/0b7c';
const publicHost = { name: 'tunnel.example.com', routeKeys: new Set<string>(), proofPath };

async function startTestGateway(name = publicHost.name) {
  const gateway = await startGateway({
    port: 0,
    api: { logicalId: 'Api', routes: [], authorizers: [] },
    publicHost: { ...publicHost, name },
    invoke: () => Promise.reject(new Error('There are no functions')),
    onError: () => undefined,
  });
  onTestFinished(gateway.close);
  return gateway;
}

/** A tunnel that passes requests on under a name of its own. */
async function startTunnel(to: string, host: string): Promise<string> {
  return startServer(async ({ url = '' }, response) => {
    const { request } = await import('node:http');
    request(to + url, { headers: { host } }, (passed) => {
      response.writeHead(passed.statusCode ?? 500, passed.headers);
      passed.pipe(response);
    }).end();
  });
}

async function startServer(handle: RequestListener): Promise<string> {
  const { url, close } = await listenOnLoopback(createServer(handle), 0);
  onTestFinished(close);
  return url;
}

const reach = (publicUrl: string) => tryToReach({ publicUrl, proofPath, localUrl: 'http://localhost:3000' });

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
