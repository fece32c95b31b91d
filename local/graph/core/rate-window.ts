const windowMs = 1000;

/** Counts what each key has done in the last second. */
export class RateWindow {
  readonly #times = new Map<string, number[]>();

  /** Whether one more is within the limit. `null` means no limit. Rejected ones do not count. */
  take(key: string, perSecond: number | null, now: number): boolean {
    if (perSecond === null) return true;
    const recent = (this.#times.get(key) ?? []).filter((time) => time > now - windowMs);
    const allowed = recent.length < perSecond;
    this.#times.set(key, allowed ? [...recent, now] : recent);
    return allowed;
  }
}
