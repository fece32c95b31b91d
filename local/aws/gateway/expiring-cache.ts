/** Beyond this many entries, expired ones are thrown out at each addition. */
const sweepSize = 1_000;

/** Keeps what a promise came to for a time. Whoever asks while it is under way gets the same promise. */
export class ExpiringCache<Value> {
  readonly #entries = new Map<string, { readonly value: Promise<Value>; expires: number }>();
  readonly #ttlMilliseconds: number;
  readonly #now: () => number;

  constructor(ttlMilliseconds: number, now: () => number) {
    this.#ttlMilliseconds = ttlMilliseconds;
    this.#now = now;
  }

  /** The kept value, or what `load` gives now. A failure is not kept, and with a time of 0 nothing is. */
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
