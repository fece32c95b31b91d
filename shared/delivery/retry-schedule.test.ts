import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultSchedule, nextDelayMs, parseSchedule } from './retry-schedule.ts';

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the default schedule', () => {
  it('has the documented delays, 28 hours in all', () => {
    expect(defaultSchedule).toEqual([10, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200]);
    expect(defaultSchedule.reduce((sum, delay) => sum + delay) / 3_600).toBeCloseTo(27.7, 1);
  });
});

describe('a custom schedule', () => {
  it.each([
    ['10,30,120', [10, 30, 120]],
    ['0', [0]],
    ['0.2, 1.5', [0.2, 1.5]],
    ['43200', [43_200]],
    ['', defaultSchedule],
    [undefined, defaultSchedule],
  ])('%j can be read as a list of delays', (text, expected) => {
    expect(parseSchedule(text)).toEqual(expected);
  });

  it.each(['-1', '10,x', '43201', '1;2', 'Infinity', 'NaN'])('%j is rejected as invalid', (text) => {
    expect(() => parseSchedule(text)).toThrow(`not "${text}"`);
  });
});

describe('the next delay', () => {
  it.each(defaultSchedule.map((delay, index) => [index + 1, delay]))(
    'after attempt %i is %i seconds, plus or minus a fifth',
    (attemptCount, delay) => {
      const at = (where: number) => nextDelayMs(defaultSchedule, attemptCount, where);
      expect([at(0), at(0.5)]).toEqual([delay * 800, delay * 1000]);
      fc.assert(
        fc.property(random, (where) => {
          const next = at(where) ?? 0;
          return next >= delay * 800 && next <= delay * 1200;
        }),
      );
    },
  );

  it('does not exist when the schedule is used up', () => {
    expect(nextDelayMs(defaultSchedule, 11, 0.5)).toBeUndefined();
    expect(nextDelayMs(defaultSchedule, 11, 0.5, 60)).toBeUndefined();
    expect(nextDelayMs([], 1, 0.5)).toBeUndefined();
  });

  it('is never shorter because of Retry-After, and never longer than an hour or the schedule', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), random, fc.nat(10 ** 9), (attemptCount, where, retryAfter) => {
        const base = defaultSchedule[attemptCount - 1] ?? 0;
        const own = nextDelayMs(defaultSchedule, attemptCount, where) ?? 0;
        const next = nextDelayMs(defaultSchedule, attemptCount, where, retryAfter) ?? 0;
        return next >= own && next <= Math.max(own, base * 1000, 3_600_000);
      }),
    );
  });

  it('follows Retry-After up to an hour', () => {
    const asked = [0, 11, 60, 3_600, 3_601, 86_400].map((seconds) => nextDelayMs([10], 1, 0.5, seconds));
    expect(asked).toEqual([10_000, 11_000, 60_000, 3_600_000, 3_600_000, 3_600_000]);
  });
});
