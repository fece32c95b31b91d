/** The awaited work took too long. */
export class OutOfTimeError extends Error {}

/**
 * Resolves with the result of `work` if it is ready within `ms`. Throws {@link OutOfTimeError} otherwise; the work
 * itself continues.
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OutOfTimeError(`Not done within ${ms} ms`)), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
