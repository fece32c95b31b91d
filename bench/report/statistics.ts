/** Returns the middle value. Unlike the mean, it ignores a single run that the machine interrupted. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Returns the value that `share` (0 to 1) of the values do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new Error('There is no quantile of nothing');
  return value;
}

/** Measures how long the work takes, in milliseconds. */
export async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
