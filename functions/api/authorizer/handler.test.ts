import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import { createToken, hashToken, type TokenRecord, withChecksum } from '#shared/domain/accounts/token.ts';
import type { TokenStore } from '#shared/domain/accounts/token-store.ts';
import { makeHandler } from './handler.ts';

const now = 1_800_000_000_000;
const token = createToken();
const record: TokenRecord = { hash: hashToken(token), user: 'user-1', label: 'test', created_at: 0 };

/** What the authorizer says of a header, and whether it looked the token up. */
async function authorize(header: string | undefined | [], stored: TokenRecord | undefined = record) {
  const get = vi.fn<TokenStore['get']>(async (hash) => (stored?.hash === hash ? stored : undefined));
  const handler = makeHandler({ tokens: { get }, now: () => now });
  const event = { identitySource: typeof header === 'string' ? [header] : header } as never;
  const { isAuthorized, context } = await handler(event as APIGatewayRequestAuthorizerEventV2);
  // A rejection here would be the gateway's 403 with a body of its own.
  expect(isAuthorized).toBe(true);
  return { context, lookedUp: get.mock.calls.length > 0 };
}

describe('a valid token', () => {
  const identity = { user: record.user, token: record.hash };

  it.each([`Bearer ${token}`, `bearer ${token}`, `BEARER ${token}`, `Bearer   ${token}`])(
    'a valid token is known',
    async (header) => {
      expect((await authorize(header)).context).toEqual(identity);
    },
  );

  it('is accepted until it expires', async () => {
    expect((await authorize(`Bearer ${token}`, { ...record, expires_at: now + 1 })).context).toEqual(identity);
    expect((await authorize(`Bearer ${token}`, { ...record, expires_at: now })).context).toEqual({});
  });
});

describe('a request without a valid token', () => {
  it.each([
    ['no header', undefined],
    ['an empty list of headers', [] as []],
    ['an empty header', ''],
    ['no token', 'Bearer'],
    ['no token behind the scheme', 'Bearer '],
    ['no scheme', token],
    ['another scheme', `Basic ${token}`],
    ['a scheme that only begins alike', `Bearers ${token}`],
    ['a scheme that only ends alike', `XBearer ${token}`],
    ['two tokens', `Bearer ${token} ${token}`],
    ['a list of tokens', `Bearer ${token},${token}`],
    ['another prefix', `Bearer ${token.replace('msgs_', 'msgx_')}`],
    ['a token of somebody else’s service', 'Bearer ghp_16C7e42F292c6912E7710c838347Ae178B4a'],
    ['a wrong checksum', `Bearer ${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`],
    ['a hash in place of the token', `Bearer ${record.hash}`],
    ['a text without end', `Bearer ${'a'.repeat(100_000)}`],
  ])('is rejected without reading the table: %s', async (_, header) => {
    expect(await authorize(header)).toEqual({ context: {}, lookedUp: false });
  });

  it.each([
    ['unknown or revoked', undefined],
    ['another', { ...record, hash: hashToken(createToken()) }],
  ])('is rejected if the stored token is %s', async (_, stored) => {
    const unknown = withChecksum('0'.repeat(32));
    expect(await authorize(`Bearer ${unknown}`, stored)).toEqual({ context: {}, lookedUp: true });
  });
});
