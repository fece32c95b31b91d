import type { Clock } from './clock.ts';

/** A map of at most `capacity` entries. A further entry evicts the least recently used one. */
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

/** Reads a value that is at most `maxAgeMs` old. */
export type CachedReader<T> = (maxAgeMs?: number) => Promise<T>;

/**
 * Caches the loaded value for `ttlMs`; a caller may demand a younger one. Callers share a load in progress. A failed
 * load keeps the cached value, and the next caller who needs a younger one tries again.
 */
export function cached<T>(load: () => Promise<T>, ttlMs: number, now: Clock): CachedReader<T> {
  interface Loaded {
    value: Promise<T>;
    at: number;
  }
  let latest: Loaded | undefined;
  let loading: Loaded | undefined;

  return (maxAgeMs = ttlMs) => {
    const known = [latest, loading].find((one) => one !== undefined && now() - one.at < maxAgeMs);
    if (known) return known.value;
    const mine = { value: load(), at: now() };
    loading = mine;
    const endLoad = () => {
      if (loading === mine) loading = undefined;
    };
    mine.value.then(() => {
      if (latest === undefined || latest.at <= mine.at) latest = mine;
      endLoad();
    }, endLoad);
    return mine.value;
  };
}

/** Keeps one {@link cached} value per key, for the `capacity` most recently used keys. */
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
