import type { Clock } from './clock.ts';

/** Makes the value with its first use and keeps it. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Reads a value that was loaded at most so long ago. */
export type CachedReader<T> = (maxAgeMs?: number) => Promise<T>;

/**
 * Keeps what was loaded for `ttlMs`; a caller may demand something younger. Callers share a load that is under way. A
 * failed load takes away nothing: what is held stays, and the next caller who needs something younger tries again.
 */
export function cached<T>(load: () => Promise<T>, ttlMs: number, now: Clock): CachedReader<T> {
  interface Loaded {
    value: Promise<T>;
    at: number;
  }
  let held: Loaded | undefined;
  let loading: Loaded | undefined;

  return (maxAgeMs = ttlMs) => {
    const known = [held, loading].find((one) => one !== undefined && now() - one.at < maxAgeMs);
    if (known) return known.value;
    const mine = { value: load(), at: now() };
    loading = mine;
    const settle = () => {
      if (loading === mine) loading = undefined;
    };
    mine.value.then(() => {
      if (held === undefined || held.at <= mine.at) held = mine;
      settle();
    }, settle);
    return mine.value;
  };
}
