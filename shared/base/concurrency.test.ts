import { describe, expect, it } from 'vitest';
import { forEachOf, forEachWithin, groupsOf, limitTo, OutOfTimeError } from './concurrency.ts';

async function* upTo(count: number) {
  for (let number = 1; number <= count; number++) yield number;
}

describe('work on many', () => {
  it('is done for every item, with a limited number at once', async () => {
    let running = 0;
    let maxRunning = 0;
    const done: number[] = [];
    const errors = await forEachOf(upTo(20), 4, async (number) => {
      maxRunning = Math.max(maxRunning, ++running);
      await new Promise(setImmediate);
      running--;
      done.push(number);
    });
    expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(maxRunning).toBe(4);
    expect(errors).toEqual([]);
  });

  it('continues for the other items if it fails for some', async () => {
    const done: number[] = [];
    const errors = await forEachOf(upTo(5), 2, async (number) => {
      if (number % 2 === 0) throw new Error(`no ${number}`);
      done.push(number);
    });
    expect(done).toEqual([1, 3, 5]);
    expect(errors).toEqual([new Error('no 2'), new Error('no 4')]);
  });

  it('ends with an error if the next item cannot be read', async () => {
    async function* broken() {
      yield 1;
      throw new Error('no more');
    }
    const done: number[] = [];
    expect(await forEachOf(broken(), 3, async (number) => void done.push(number))).toEqual([new Error('no more')]);
    expect(done).toEqual([1]);
  });
});

describe('work on many within a time', () => {
  it('returns the errors of those that failed', async () => {
    const errors = await forEachWithin(10_000, [1, 2, 3], 2, async (number) => {
      if (number === 2) throw new Error('no 2');
    });
    expect(errors).toEqual([new Error('no 2')]);
  });

  it('starts nothing more once the time is over', async () => {
    const started: number[] = [];
    let proceed = () => {};
    const blocked = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    const errors = await forEachWithin(1, [1, 2, 3], 2, async (number) => {
      started.push(number);
      await blocked;
    });
    expect(errors).toEqual([expect.any(OutOfTimeError)]);
    proceed();
    await new Promise(setImmediate);
    expect(started).toEqual([1, 2]);
  });
});

describe('groupsOf', () => {
  it('groups items in their order, with fewer in the last group', async () => {
    expect(await Array.fromAsync(groupsOf([1, 2, 3, 4, 5], 2))).toEqual([[1, 2], [3, 4], [5]]);
    expect(await Array.fromAsync(groupsOf([1, 2], 2))).toEqual([[1, 2]]);
    expect(await Array.fromAsync(groupsOf([], 2))).toEqual([]);
  });

  it('takes no more items than the groups that are asked for need', async () => {
    const taken: number[] = [];
    function* items() {
      for (const item of [1, 2, 3, 4]) {
        taken.push(item);
        yield item;
      }
    }
    expect(await groupsOf(items(), 2).next()).toEqual({ done: false, value: [1, 2] });
    expect(taken).toEqual([1, 2]);
  });
});

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
