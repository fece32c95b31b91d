import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { ServiceError } from '#shared/base/service-error.ts';
import { deadPort, listen, loopback, nothing, sendingService } from '#support/fakes/egress.ts';
import { type AskSettings, openAsk, requireHandshake } from './handshake.ts';

const ask = (settings: Partial<AskSettings> = {}) => openAsk({ allowList: loopback, ...sendingService, ...settings });

const token = 'verify & me';

/** What is wrong with the field of the URL; undefined if the receiver passes. */
async function faultOf(url: string, settings: Partial<AskSettings> = {}) {
  const asked = requireHandshake('url', { url, token }, ask(settings), new Set());
  const error = await asked.catch((fault: ServiceError) => fault);
  return error?.fields;
}

const fault = (rule: string, values = {}) => [{ field: 'url', rule, values }];
const challengeIn = (url: string | undefined) => new URL(`http://any${url}`).searchParams.get('hub.challenge') ?? '';

/** A receiver, and the requests that it gets. */
async function receiver(respond: (response: ServerResponse, challenge: string) => void) {
  const requests: IncomingMessage[] = [];
  const { port } = await listen(
    createServer((request, response) => {
      requests.push(request);
      respond(response, challengeIn(request.url));
    }),
  );
  return { url: `http://127.0.0.1:${port}/hook?tenant=a%20b`, requests };
}

describe('a handshake', () => {
  it.each([[''], ['\n']])('succeeds if the receiver returns the challenge (%j behind it)', async (end) => {
    const { url, requests } = await receiver((response, challenge) => response.end(challenge + end));
    expect(await faultOf(url)).toBeUndefined();
    expect(requests).toHaveLength(1);
    const { method, url: asked = '', headers } = requests[0] ?? {};
    expect(method).toBe('GET');
    expect(asked).toMatch(/^\/hook\?tenant=a%20b&hub\.mode=subscribe&hub\.challenge=\d{10}&hub\.verify_token=/);
    expect(new URL(`http://any${asked}`).searchParams.get('hub.verify_token')).toBe(token);
    expect(headers).not.toHaveProperty('content-type');
    expect(headers?.['messaging-service-via']).toBe('1.1 messaging-service-test');
  });

  it.each<[string, (response: ServerResponse, challenge: string) => void, object]>([
    ['another challenge', (response) => response.end('1158201444'), fault('handshake_challenge')],
    ['nothing', (response) => response.end(), fault('handshake_challenge')],
    ['the challenge in JSON', (response, it) => response.end(`{"challenge":${it}}`), fault('handshake_challenge')],
    ['more than is read', (response, it) => response.end(it + ' '.repeat(10e6)), fault('handshake_challenge')],
    ['201', (response, it) => response.writeHead(201).end(it), fault('handshake_status', { status: 201 })],
    ['a secret', (response) => response.writeHead(403).end('s3cr3t'), fault('handshake_status', { status: 403 })],
    [
      'a redirect, which is not followed',
      (response) => response.writeHead(302, { location: '/' }).end(),
      fault('handshake_status', { status: 302 }),
    ],
    ['half a response', (response) => response.socket?.destroy(), fault('handshake_failed', { error: 'closed-early' })],
  ])('fails with %s, and tells only its kind', async (_, respond, expected) => {
    const { url, requests } = await receiver(respond);
    expect(await faultOf(url)).toEqual(expected);
    expect(requests).toHaveLength(1);
  });

  it('asks no private address, and nobody who does not listen', async () => {
    const { url, requests } = await receiver((response, challenge) => response.end(challenge));
    expect(await faultOf(url, { allowList: nothing })).toEqual(
      fault('handshake_failed', { error: 'forbidden-address' }),
    );
    expect(requests).toEqual([]);
    const dead = `http://127.0.0.1:${await deadPort()}/`;
    expect(await faultOf(dead)).toEqual(fault('handshake_failed', { error: 'refused' }));
  });

  it('ends with its time, however slowly the receiver responds', async () => {
    const { url } = await receiver((response, challenge) => response.write(challenge.slice(1)));
    expect(await faultOf(url, { timeoutMs: 50 })).toEqual(fault('handshake_failed', { error: 'timeout' }));
  });
});
