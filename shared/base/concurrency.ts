import { setTimeout as delay } from 'node:timers/promises';

/** Runs `work` on each item, at most `maxInParallel` at once. A failure does not stop the others; returns all the errors. */
export async function forEachOf<T>(
  items: AsyncIterable<T>,
  maxInParallel: number,
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
  await Promise.all(Array.from({ length: maxInParallel }, worker));
  return errors;
}

/**
 * Like {@link forEachOf}, but takes at most `ms`: then no more work is started, and an `OutOfTimeError` is the only
 * error that it returns. Work in progress continues.
 */
export async function forEachWithin<T>(
  ms: number,
  items: Iterable<T>,
  maxInParallel: number,
  work: (item: T) => Promise<void>,
): Promise<unknown[]> {
  let isOver = false;
  async function* inTime() {
    for (const item of items) {
      if (isOver) return;
      yield item;
    }
  }
  try {
    return await within(ms, forEachOf(inTime(), maxInParallel, work));
  } catch (error) {
    return [error];
  } finally {
    isOver = true;
  }
}

/** Groups items in their order. Only the last group may have fewer than `size`. */
export async function* groupsOf<T>(items: AsyncIterable<T> | Iterable<T>, size: number): AsyncGenerator<T[]> {
  let group: T[] = [];
  for await (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/** Runs work, at most so many pieces at once. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets at most `atOnce` pieces of work run at once. The others wait for their turn, in order. */
export function limitTo(atOnce: number): Limiter {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < atOnce) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

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

/** Waits for some milliseconds, and keeps no process from ending. */
export const pause = (ms: number): Promise<void> => delay(ms, undefined, { ref: false });
