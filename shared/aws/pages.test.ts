import type { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { firstPage, mergePages, queryPages, type ReadPage } from './pages.ts';
import type { Table } from './table.ts';

/** A list of numbers in pages of this size; records each read. */
function list(numbers: readonly number[], size: number, reads: number[] = []): ReadPage<number> {
  return async () => {
    reads.push(numbers[0] ?? Number.NaN);
    const rest = numbers.slice(size);
    return { entries: numbers.slice(0, size), readOn: rest.length > 0 ? list(rest, size, reads) : undefined };
  };
}

const ascending = (one: number, other: number) => one < other;

describe('merging', () => {
  it('returns every entry of every list, in order', async () => {
    const lists = [list([1, 4, 9, 10], 2), list([], 2), list([2, 3, 5], 1), list([6, 7, 8], 3)];
    expect(await Array.fromAsync(mergePages(lists, ascending))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await Array.fromAsync(mergePages([], ascending))).toEqual([]);
  });

  it('reads no list further than needed', async () => {
    const reads: number[] = [];
    const merged = mergePages([list([1, 2, 3, 4, 5], 2, reads), list([10, 20, 30, 40], 2, reads)], ascending);
    for (const expected of [1, 2, 3, 4]) expect((await merged.next()).value).toBe(expected);
    expect(reads).toEqual([1, 10, 3]);
  });

  it('reads the next pages of several lists in parallel, up to sixteen at once', async () => {
    let inProgress = 0;
    let maxInProgress = 0;
    const slow =
      (numbers: number[]): ReadPage<number> =>
      async () => {
        maxInProgress = Math.max(maxInProgress, ++inProgress);
        await Promise.resolve();
        inProgress--;
        const [entry = 0, ...rest] = numbers;
        return { entries: [entry], readOn: rest.length > 0 ? slow(rest) : undefined };
      };
    await Array.fromAsync(mergePages([slow([1, 4]), slow([2, 5]), slow([3, 6])], ascending));
    expect(maxInProgress).toBe(3);
    await Array.fromAsync(
      mergePages(
        Array.from({ length: 64 }, (_, index) => slow([index, 64 + index])),
        ascending,
      ),
    );
    expect(maxInProgress).toBe(16);
  });
});

describe('the pages of a query', () => {
  /** Returns pages with these numbers of items and records the requested limits. */
  function tableOf(pages: number[]) {
    const limits: unknown[] = [];
    const client = {
      async send({ input }: QueryCommand) {
        limits.push(input.Limit);
        const Items = Array(pages.shift() ?? 0).fill({});
        return { Items, ...(pages.length > 0 && { LastEvaluatedKey: { pk: 'x' } }) };
      },
    };
    return { table: { client, name: 'table' } as unknown as Table, limits };
  }
  const limitsFor = async (pages: number[]) => {
    const { table, limits } = tableOf(pages);
    await Array.fromAsync(mergePages([queryPages(table, {}, 3, (items) => [...items])], () => false));
    return limits;
  };

  it('grow when more entries are wanted, and quickly when nothing is found', async () => {
    expect(await limitsFor([3, 6, 12, 24, 48, 96, 100, 5])).toEqual([3, 6, 12, 24, 48, 96, 100, 100]);
    expect(await limitsFor([0, 0, 0, 1, 0])).toEqual([3, 12, 48, 192, 192]);
  });

  it('begin with their share of the wanted entries, and a little more', () => {
    expect([firstPage(1, 64), firstPage(20, 64), firstPage(100, 64), firstPage(1_000, 64)]).toEqual([3, 3, 4, 18]);
  });
});
