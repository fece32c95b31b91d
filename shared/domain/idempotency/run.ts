import { newId } from '#shared/base/ids.ts';

/** One execution of an operation that takes an `Idempotency-Key`. */
export interface Run {
  /** A new UUID. The operation may use it as the id of what it creates. */
  readonly id: string;
  /** The runs for the same key before this one, whose outcome is unknown. */
  readonly earlier: readonly string[];
}

export const firstRun = (): Run => ({ id: newId(), earlier: [] });
