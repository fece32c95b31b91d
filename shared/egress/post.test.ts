import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '#support/arbitraries.ts';
import { parseRetryAfter } from './post.ts';

describe('a Retry-After header', () => {
  const now = Date.UTC(2026, 10, 20, 8, 0, 0);

  it.each([
    ['0', 0],
    ['120', 120],
    [' 30 ', 30],
    ['Fri, 20 Nov 2026 08:01:00 GMT', 60],
    ['Friday, 20-Nov-26 08:01:00 GMT', 60],
    ['Fri, 20 Nov 2026 07:59:00 GMT', 0],
  ])('%j can be read as a delay', (header, seconds) => {
    expect(parseRetryAfter(header, now)).toBe(seconds);
  });

  it.each([
    undefined,
    '',
    'soon',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    '99999999999999',
    '10, 20',
    '2026-11-20T08:01:00Z',
    'Fri, 20 Nov 2026 08:01:00 +0100',
    'Fri, 99 Nov 2026 08:01:00 GMT',
    'After Fri, 20 Nov 2026 08:01:00 GMT',
    'Fri, 20 Nov 2026 08:01:00 GMT (CET)',
  ])('%j counts as a missing header', (header) => {
    expect(parseRetryAfter(header, now)).toBeUndefined();
  });

  it('with any text leads to a number of seconds or counts as missing', () => {
    fc.assert(
      fc.property(anyText, (header) => {
        const seconds = parseRetryAfter(header, now);
        return seconds === undefined || (Number.isInteger(seconds) && seconds >= 0);
      }),
    );
  });
});
