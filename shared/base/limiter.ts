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
