import { describe, expect, it } from 'vitest';
import { fakeCredentials } from '#support/fakes/fake-signatures.ts';
import { isVerifyToken } from './upstream-credentials.ts';

describe('isVerifyToken', () => {
  it.each([
    ['token', 'token', true],
    ['token', 'token2', false],
    ['', '', false],
    [undefined, '', false],
  ])('%j accepts %j: %j', async (verify_token, token, expected) => {
    expect(await isVerifyToken(fakeCredentials({ verify_token }), token)).toBe(expected);
  });
});
