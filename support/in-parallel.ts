import { forEachOf } from '#shared/base/concurrency.ts';

/**
 * Does the work for each item, a few at a time, and returns the results in the order of the items. All tests share the
 * machine, so more would not be faster.
 */
export async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>, atOnce = 10): Promise<R[]> {
  const results: R[] = [];
  const errors = await forEachOf(ReadableStream.from(items.entries()), atOnce, async ([index, item]) => {
    results[index] = await work(item);
  });
  if (errors.length > 0) throw errors[0];
  return results;
}
