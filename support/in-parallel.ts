import { forEachOf } from '#shared/base/each.ts';

/**
 * Does the work for each item, some at a time, and gives the results in the order of the items. A machine that all tests
 * share takes no more at once.
 */
export async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>, atOnce = 10): Promise<R[]> {
  const results: R[] = [];
  const errors = await forEachOf(ReadableStream.from(items.entries()), atOnce, async ([index, item]) => {
    results[index] = await work(item);
  });
  if (errors.length > 0) throw errors[0];
  return results;
}
