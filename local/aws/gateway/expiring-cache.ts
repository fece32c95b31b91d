/** Above this size, each addition removes the expired entries. */
const sweepSize = 1_000;

/** Caches the value of a promise for a time. Callers share a promise that is pending. */
export class ExpiringCache<Value> {
  readonly #entries = new Map<string, { readonly value: Promise<Value>; expires: number }>();
  readonly #ttlMilliseconds: number;
  readonly #now: () => number;

  constructor(ttlMilliseconds: number, now: () => number) {
    this.#ttlMilliseconds = ttlMilliseconds;
    this.#now = now;
  }

  /** The cached value, or the result of `load`. Failures are not cached. A time of 0 turns the cache off. */
  get(key: string, load: () => Promise<Value>): Promise<Value> {
    if (this.#ttlMilliseconds === 0) return load();
    const kept = this.#entries.get(key);
    return kept && kept.expires > this.#now() ? kept.value : this.#add(key, load());
  }

  #add(key: string, value: Promise<Value>): Promise<Value> {
    this.#sweep();
    const entry = { value, expires: Number.POSITIVE_INFINITY };
    this.#entries.set(key, entry);
    value.then(
      () => {
        entry.expires = this.#now() + this.#ttlMilliseconds;
      },
      () => this.#entries.delete(key),
    );
    return value;
  }

  #sweep(): void {
    if (this.#entries.size >= sweepSize) {
      for (const [key, { expires }] of this.#entries) {
        if (expires <= this.#now()) this.#entries.delete(key);
      }
    }
  }
}
