/** A rate that allows bursts: `burst` at once, and then one more every `everyMs`. */
export interface BurstRate {
  readonly burst: number;
  readonly everyMs: number;
}

interface Level {
  readonly tokens: number;
  readonly at: number;
}

/** Counts down what each key has left of a rate. */
export class TokenBucket {
  readonly #levels = new Map<string, Level>();

  /** Whether one more is within the rate. `null` means no limit. Rejected ones do not count. */
  take(key: string, rate: BurstRate | null, now: number): boolean {
    if (rate === null) return true;
    const { tokens, at } = this.#levels.get(key) ?? { tokens: rate.burst, at: now };
    const left = Math.min(rate.burst, tokens + Math.max(0, now - at) / rate.everyMs);
    const allowed = left >= 1;
    this.#levels.set(key, { tokens: allowed ? left - 1 : left, at: now });
    return allowed;
  }
}
