import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timestamp } from './time.ts';

describe('timestamp', () => {
  it.each([
    [0, '1970-01-01T00:00:00.000000Z'],
    [Date.UTC(2026, 0, 31, 8, 15, 30, 123), '2026-01-31T08:15:30.123000Z'],
    [Date.UTC(2028, 1, 29, 23, 59, 59, 999), '2028-02-29T23:59:59.999000Z'],
  ])('writes %d milliseconds as %s', (milliseconds, text) => {
    expect(timestamp(milliseconds)).toBe(text);
  });

  it('returns texts that sort in the order of time', () => {
    const moment = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) });
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        expect(Math.sign(timestamp(a).localeCompare(timestamp(b)))).toBe(Math.sign(a - b));
      }),
    );
  });
});
