import { forEachOf } from '#shared/base/each.ts';

/**
 * Does the work for each item, ten at a time, and gives the results in the order of the items. A machine that all tests
 * share takes no more at once.
 */
export async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const errors = await forEachOf(ReadableStream.from(items.entries()), 10, async ([index, item]) => {
    results[index] = await work(item);
  });
  if (errors.length > 0) throw errors[0];
  return results;
}
