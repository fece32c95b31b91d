import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutOfTimeError, within } from './concurrency.ts';
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

describe('within', () => {
  it('returns a result that arrives in time', async () => {
    expect(await within(60_000, Promise.resolve('done'))).toBe('done');
    await expect(within(60_000, Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  });

  it.each([1, 0, -5_000])('waits no longer than %i ms', async (ms) => {
    await expect(within(ms, new Promise(() => {}))).rejects.toThrow(OutOfTimeError);
  });

  it('ignores a failure that arrives too late', async () => {
    let fail = (_: Error) => {};
    const work = new Promise<never>((_, reject) => {
      fail = reject;
    });
    await expect(within(1, work)).rejects.toThrow(OutOfTimeError);
    fail(new Error('too late'));
  });
});
