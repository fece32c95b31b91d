import type { Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { hashToken } from '#shared/accounts/token.ts';
import { httpEvent, requestId } from '#support/aws/http-event.ts';
import { mark } from '#support/deployment.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { fakeCredentials } from '#support/fakes/fake-signatures.ts';
import { makeHandler } from './verify-events.ts';

captureLog();

const good = { 'hub.mode': 'subscribe', 'hub.verify_token': 'verify-me', 'hub.challenge': '1158201444' };

const workspace = '0198a000-0000-7000-8000-000000000001';

async function verify(query: Record<string, string>, verify_token = 'verify-me', stored = verify_token) {
  const credentials = fakeCredentials({ verify_token }, { verify_token: stored });
  const verifyTokens = { find: async (hash: string) => (hash === hashToken('own-token') ? workspace : undefined) };
  const handler = makeHandler({ now: () => 0, mark, credentials, verifyTokens });
  const { statusCode, headers, body } = await handler(httpEvent({ query }), { awsRequestId: requestId } as Context);
  return { status: statusCode, type: headers?.['content-type'], text: body };
}

describe('the handshake', () => {
  it('gets the challenge alone, as text', async () => {
    expect(await verify(good)).toEqual({ status: 200, type: 'text/plain', text: '1158201444' });
  });

  it('gets the challenge with the verify token of a workspace, too', async () => {
    expect(await verify({ ...good, 'hub.verify_token': 'own-token' })).toMatchObject({
      status: 200,
      text: '1158201444',
    });
  });

  it.each([
    ['another token', { ...good, 'hub.verify_token': 'verify-you' }],
    ['a part of the token', { ...good, 'hub.verify_token': 'verify' }],
    ['no token', { 'hub.mode': 'subscribe', 'hub.challenge': '1' }],
    ['another mode', { ...good, 'hub.mode': 'unsubscribe' }],
    ['nothing', {}],
  ])('is rejected with %s, without the challenge', async (_, query) => {
    const { status, text } = await verify(query);
    expect(status).toBe(403);
    expect(Object.keys(JSON.parse(String(text)))).toEqual(['message']);
    expect(text).not.toContain('1158201444');
  });

  it('knows a token that was put in since the secret was read', async () => {
    expect((await verify(good, '', 'verify-me')).status).toBe(200);
  });

  it('is rejected while no verify token is set', async () => {
    expect((await verify({ ...good, 'hub.verify_token': '' }, '')).status).toBe(403);
  });
});
