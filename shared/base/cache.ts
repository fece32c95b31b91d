import type { Clock } from './time.ts';

/** Creates the value on first use and keeps it. Arguments of later uses are ignored. */
export function lazy<A extends unknown[], T>(make: (...first: A) => T): (...each: A) => T {
  let computed: { value: T } | undefined;
  return (...args) => {
    computed ??= { value: make(...args) };
    return computed.value;
  };
}

/**
 * A map whose entries have at most the size `capacity` together; if no size is given, an entry counts as one. Entries
 * beyond that evict the least recently used ones.
 */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, { value: V; size: number }>();
  readonly #capacity: number;
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: K, value: V, size = 1): void {
    this.delete(key);
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#capacity) return;
      this.delete(oldest);
    }
  }

  /** Returns the value of the key, and adds what `compute` returns if there is none. */
  getOrInsertComputed(key: K, compute: (key: K) => V): V {
    const cached = this.get(key);
    if (cached !== undefined) return cached;
    const value = compute(key);
    this.set(key, value);
    return value;
  }

  delete(key: K): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
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
    const fresh = [latest, loading].find((one) => one !== undefined && now() - one.at < maxAgeMs);
    if (fresh) return fresh.value;
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
  return (key: K, maxAgeMs?: number): Promise<T> =>
    readers.getOrInsertComputed(key, () => cached(() => load(key), ttlMs, now))(maxAgeMs);
}
