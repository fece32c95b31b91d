import { describe, expect, it, vi } from 'vitest';
import { hubSignature } from '../signing/hub-signature.ts';
import { type Credentials, freshMs, isFromUpstream, isVerifyToken } from './upstream-credentials.ts';

const body = Buffer.from('{}');

/** Credentials as they are cached, and as they are stored. */
function credentials(cached: Partial<Credentials>, stored = cached) {
  const [kept, fresh] = [cached, stored].map((one) => ({ access_token: 't', ...one }));
  const unchanged = cached === stored;
  return vi.fn(
    async (maxAgeMs = Number.POSITIVE_INFINITY) => (maxAgeMs > freshMs || unchanged ? kept : fresh) as Credentials,
  );
}

describe('isFromUpstream', () => {
  const signedWith = (secret: string) => ({ header: hubSignature(body, secret), body });

  it.each([
    ['the app secret', 'one', 'one', true],
    ['either of two secrets', ['one', 'two'], 'two', true],
    ['another secret', 'one', 'two', false],
    ['an empty secret', '', '', false],
    ['one of no secrets', undefined, 'one', false],
  ])('decides on a signature with %s', async (_, app_secret, secret, expected) => {
    expect(await isFromUpstream(credentials({ app_secret }), signedWith(secret))).toBe(expected);
  });

  it('reads the credentials again before it rejects a request, and only then', async () => {
    const read = credentials({ app_secret: 'old' }, { app_secret: 'new' });
    expect(await isFromUpstream(read, signedWith('old'))).toBe(true);
    expect(read).toHaveBeenCalledTimes(1);
    expect(await isFromUpstream(read, signedWith('new'))).toBe(true);
    expect(await isFromUpstream(read, { header: undefined, body })).toBe(false);
  });
});

describe('isVerifyToken', () => {
  it.each([
    ['token', 'token', true],
    ['token', 'token2', false],
    ['', '', false],
    [undefined, '', false],
  ])('%j accepts %j: %j', async (verify_token, token, expected) => {
    expect(await isVerifyToken(credentials({ verify_token }), token)).toBe(expected);
  });
});
