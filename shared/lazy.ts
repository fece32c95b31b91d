import type { Clock } from './clock.ts';

/** Makes the value with its first use and keeps it. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/**
 * Loads once and keeps what came for `ttlMs`; requests meanwhile share one load, and a failed load is forgotten, so
 * that the next request tries again.
 */
export function cached<T>(load: () => Promise<T>, ttlMs: number, now: Clock): () => Promise<T> {
  let held: { value: Promise<T>; until: number } | undefined;
  return () => {
    if (held && held.until > now()) return held.value;
    const value = load();
    const mine = { value, until: now() + ttlMs };
    held = mine;
    value.catch(() => {
      if (held === mine) held = undefined;
    });
    return value;
  };
}
