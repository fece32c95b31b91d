import { describe, expect, it } from 'vitest';
import { OutOfTimeError, within } from './time.ts';

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
