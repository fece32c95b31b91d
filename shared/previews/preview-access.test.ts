import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecret, hashSecret, validUntil } from './preview-access.ts';

describe('validUntil', () => {
  const now = Date.UTC(2026, 0, 31, 8, 15, 30, 123);

  it.each([
    [1, '2026-01-31T09:15:30.123Z'],
    [2, '2026-01-31T10:15:30.123Z'],
    [3, '2026-01-31T12:15:30.123Z'],
    [4, '2026-01-31T16:15:30.123Z'],
    [5, '2026-02-01T00:15:30.123Z'],
    [6, '2026-02-01T08:15:30.123Z'],
  ])('%d ends at %s, to the millisecond', (choice, end) => {
    expect(new Date(validUntil(choice, now)).toISOString()).toBe(end);
  });
});

describe('createSecret', () => {
  const secrets = Array.from({ length: 20_000 }, createSecret);

  it('returns six digits, and keeps a leading zero', () => {
    expect(secrets.every((secret) => /^\d{6}$/.test(secret))).toBe(true);
  });

  it.each([0, 1, 2, 3, 4, 5])('returns each digit equally often in position %d', (place) => {
    const counts = Array.from({ length: 10 }, () => 0);
    for (const secret of secrets) counts[Number(secret[place])] = (counts[Number(secret[place])] ?? 0) + 1;
    // 2,000 are expected, with a standard deviation of 42. Seven deviations happen by chance once in 10^11.
    for (const count of counts) expect(Math.abs(count - 2_000)).toBeLessThan(300);
  });
});

describe('hashSecret', () => {
  it('depends on the preview and on the secret', () => {
    const secret = fc.stringMatching(/^\d{6}$/);
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), secret, secret, (preview, other, code, guess) => {
        fc.pre(preview !== other && code !== guess);
        const hash = hashSecret(preview, code);
        expect(hash).toBe(hashSecret(preview, code));
        expect(hash).toMatch(/^[0-9a-f]{64}$/);
        expect(hashSecret(other, code)).not.toBe(hash);
        expect(hashSecret(preview, guess)).not.toBe(hash);
      }),
    );
  });
});
