import { createServer, type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenOnLoopback } from '../aws/base/http/loopback.ts';
import { startGateway } from '../aws/gateway/gateway.ts';
import { ExposedError, proofs, tryToReach, waitUntilReached } from './reach.ts';

const proofPath = '/0b7c';
const tunnelUrl = 'http://localhost:3003';

async function startTestGateway(text: string, hosts: readonly string[] | 'all') {
  const gateway = await startGateway({
    port: 0,
    hosts,
    api: { logicalId: 'Api', routes: [] },
    proof: { path: proofPath, text },
    invoke: () => Promise.reject(new Error('There are no functions')),
    onError: () => undefined,
  });
  onTestFinished(gateway.close);
  return gateway.url;
}

const startPublicGateway = () => startTestGateway(proofs.public, 'all');
const startApiGateway = () => startTestGateway(proofs.api, []);

/** A tunnel that passes requests on under this name. */
const startTunnel = (to: string, host: string) =>
  startServer(({ url = '' }: IncomingMessage, response: ServerResponse) => {
    request(to + url, { headers: { host } }, (passed) => {
      response.writeHead(passed.statusCode ?? 500, passed.headers);
      passed.pipe(response);
    }).end();
  });

async function startServer(handle: RequestListener): Promise<string> {
  const { url, close } = await listenOnLoopback(createServer(handle), 0);
  onTestFinished(close);
  return url;
}

const reach = (publicUrl: string) => tryToReach({ publicUrl, proofPath, tunnelUrl });

describe('the check of the public address', () => {
  it.each(['tunnel.example.com', 'localhost', 'anything.example'])(
    'is content when the tunnel leads to the public routes, as %s',
    async (name) => {
      expect(await reach(await startTunnel(await startPublicGateway(), name))).toEqual({ outcome: 'reached' });
    },
  );

  it.each(['tunnel.example.com', 'localhost'])('notices a tunnel to the port of the API, as %s', async (name) => {
    const publicUrl = await startTunnel(await startApiGateway(), name);
    expect(await reach(publicUrl)).toEqual({
      outcome: 'exposed',
      text: expect.stringContaining(`Let the tunnel lead to ${tunnelUrl}.`),
    });
    const signal = AbortSignal.timeout(60_000);
    const waiting = waitUntilReached({ publicUrl, proofPath, tunnelUrl }, { report: () => {}, signal });
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

  it.each([
    [502, `responds with 502: the tunnel does not reach ${tunnelUrl}.`],
    [302, 'redirects (status 302).'],
    [404, `leads to something else (status 404), not to this world at ${tunnelUrl}.`],
    [200, `leads to something else (status 200), not to this world at ${tunnelUrl}.`],
  ])('explains a status of %i', async (status, text) => {
    const url = await startServer((_, response) => response.writeHead(status, { location: '/' }).end('<html>'));
    expect(await reach(url)).toMatchObject({ outcome: 'unreached', text: expect.stringContaining(text) });
  });

  it('reports that the address is reached, once it is', async () => {
    const publicUrl = await startTunnel(await startPublicGateway(), 'tunnel.example.com');
    const reports: string[] = [];
    const signal = AbortSignal.timeout(60_000);
    await waitUntilReached({ publicUrl, proofPath, tunnelUrl }, { report: (text) => reports.push(text), signal });
    expect(reports).toEqual([`reached: ${publicUrl} leads to this world`]);
  });
});
