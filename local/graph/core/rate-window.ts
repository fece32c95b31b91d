/** Counts what each key has done in the last second, or in another period. */
export class RateWindow {
  readonly #times = new Map<string, number[]>();
  readonly #periodMs: number;

  constructor(periodMs = 1000) {
    this.#periodMs = periodMs;
  }

  /** Whether one more is within the limit. `null` means no limit. Rejected ones do not count. */
  take(key: string, limit: number | null, now: number): boolean {
    if (limit === null) return true;
    const recent = (this.#times.get(key) ?? []).filter((time) => time > now - this.#periodMs);
    const allowed = recent.length < limit;
    this.#times.set(key, allowed ? [...recent, now] : recent);
    return allowed;
  }
}
