import type { Clock } from './clock.ts';

/** A map of at most `capacity` entries: one more replaces the entry that was used least recently. */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#capacity) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }
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

/** One {@link cached} value for each key, of the `capacity` keys that were used last. */
export function cachedByKey<K, T>(load: (key: K) => Promise<T>, ttlMs: number, now: Clock, capacity: number) {
  const readers = new BoundedMap<K, CachedReader<T>>(capacity);
  return (key: K, maxAgeMs?: number): Promise<T> => {
    let read = readers.get(key);
    if (!read) {
      read = cached(() => load(key), ttlMs, now);
      readers.set(key, read);
    }
    return read(maxAgeMs);
  };
}
