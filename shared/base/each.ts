/** Runs `work` on each item, at most `most` in parallel. A failure does not stop the others; returns all the errors. */
export async function forEachOf<T>(
  items: AsyncIterable<T>,
  most: number,
  work: (item: T) => Promise<void>,
): Promise<unknown[]> {
  const errors: unknown[] = [];
  const iterator = items[Symbol.asyncIterator]();
  async function worker(): Promise<void> {
    for (;;) {
      try {
        const { done, value } = await iterator.next();
        if (done) return;
        await work(value);
      } catch (error) {
        errors.push(error);
      }
    }
  }
  await Promise.all(Array.from({ length: most }, worker));
  return errors;
}
