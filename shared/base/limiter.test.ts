import { describe, expect, it } from 'vitest';
import { limitTo } from './concurrency.ts';

describe('a limiter', () => {
  it('runs at most so many pieces of work at once, in order, whether they fail or not', async () => {
    const limited = limitTo(2);
    const started: number[] = [];
    const ends: PromiseWithResolvers<void>[] = [];
    const work = [0, 1, 2, 3].map((index) =>
      limited(async () => {
        started.push(index);
        const end = Promise.withResolvers<void>();
        ends[index] = end;
        await end.promise;
        return index;
      }),
    );
    expect(started).toEqual([0, 1]);
    ends[1]?.reject(new Error('failed'));
    await expect(work[1]).rejects.toThrow('failed');
    expect(started).toEqual([0, 1, 2]);
    ends[0]?.resolve();
    ends[2]?.resolve();
    await Promise.all([work[0], work[2]]);
    ends[3]?.resolve();
    expect(await work[3]).toBe(3);
    expect(started).toEqual([0, 1, 2, 3]);
  });
});
