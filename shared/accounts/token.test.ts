import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createToken, hashToken, isExpired, isWellFormed, tokenFormat, withChecksum } from './token.ts';

describe('a new token', () => {
  it('has the documented form and is well formed', () => {
    for (let i = 0; i < 200; i++) {
      const token = createToken();
      expect(token).toMatch(/^msgs_[0-9A-Za-z]{38}$/);
      expect(isWellFormed(token)).toBe(true);
    }
  });

  it('is never the same twice, and uses every character of the alphabet equally often', () => {
    const tokens = Array.from({ length: 10_000 }, createToken);
    expect(new Set(tokens).size).toBe(10_000);
    const counts = Map.groupBy(tokens.map((token) => token.slice(5, 37)).join(''), (character) => character);
    expect(counts.size).toBe(62);
    // The range is seven standard deviations wide: a fair generator never leaves it, but one extra byte for a character
    // does.
    const [min, max] = [(0.9 * 320_000) / 62, (1.1 * 320_000) / 62];
    for (const { length } of counts.values()) expect(length > min && length < max).toBe(true);
  });
});

describe('the checksum', () => {
  it('is the CRC-32 of the secret in base 62, padded to six characters', () => {
    expect(withChecksum('00000000000000000000000000000000')).toBe('msgs_000000000000000000000000000000002wjyrI');
    expect(withChecksum('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa11')).toBe('msgs_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa110V5Ne3');
  });

  it('detects any single mistyped character', () => {
    const token = withChecksum('abcdefghijklmnopqrstuvwxyzABCDEF');
    for (let position = 5; position < token.length; position++) {
      const replacement = token[position] === 'z' ? 'y' : 'z';
      expect(isWellFormed(token.slice(0, position) + replacement + token.slice(position + 1))).toBe(false);
    }
  });

  it.each([
    ['nothing', ''],
    ['another prefix', withChecksum('0'.repeat(32)).replace('msgs_', 'ghp_x')],
    ['a token cut short', withChecksum('0'.repeat(32)).slice(0, -1)],
    ['a token with more behind it', `${withChecksum('0'.repeat(32))}\n`],
    ['a secret of the wrong length', withChecksum('0'.repeat(31))],
    ['another alphabet', withChecksum('-'.repeat(32))],
  ])('rejects a malformed token: %s', (_, text) => {
    expect(isWellFormed(text)).toBe(false);
  });
});

describe('hash and expiry', () => {
  it('stores the SHA-256 of the token in hex', () => {
    const token = createToken();
    expect(hashToken(token)).toBe(createHash('sha256').update(token, 'utf8').digest('hex'));
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('expires a token at its time, and never a token without an expiry', () => {
    expect(isExpired({ expires_at: 1_000 }, 999)).toBe(false);
    expect(isExpired({ expires_at: 1_000 }, 1_000)).toBe(true);
    expect(isExpired({}, Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});

it('two formats share nothing but the alphabet', () => {
  const [one, other] = [tokenFormat('one_'), tokenFormat('other_')];
  const token = one.create();
  expect([one.hasPrefix(token), one.isWellFormed(token)]).toEqual([true, true]);
  expect([other.hasPrefix(token), other.isWellFormed(token)]).toEqual([false, false]);
  expect(other.isWellFormed(token.replace('one_', 'other_'))).toBe(true);
});

it('an altered token keeps its prefix and loses its form', () => {
  const format = tokenFormat('one_');
  const altered = `${format.create()}x`;
  expect([format.hasPrefix(altered), format.isWellFormed(altered)]).toEqual([true, false]);
});
