import { type After, afterTimeout } from '#shared/base/after.ts';
import { BoundedMap } from '#shared/base/cache.ts';
import type { Clock } from '#shared/base/clock.ts';
import { opensAfterFailures } from './breaker.ts';

/** How long a failure waits for others of the same target, which are counted in the same write, in milliseconds. */
const windowMs = 20;

/** How long a success of this process keeps fewer failures than open a breaker from being counted. */
const successCountsForMs = 1_000;

/** The most targets whose failures and successes are remembered. */
const mostTargets = 1_000;

/** A failed attempt of the schedule. */
export interface Failure {
  delivery: string;
  /** The id of the attempt. */
  attempt: string;
}

/** Counts failures that came together. */
export type Count<T> = (failures: readonly Failure[]) => Promise<T>;

/** What one process has seen of its targets since their latest success. */
export interface FailuresInARow {
  /**
   * Resolves with what `count` returned for the failures of which this is one, or with `undefined` if they are not
   * counted, because a success broke the row.
   */
  add<T>(target: string, failure: Failure, count: Count<T>): Promise<T | undefined>;
  /** A success breaks the row. */
  end(target: string): void;
}

interface Row {
  failures: (Failure & { at: number })[];
  succeededAt: number;
  /** The count that later failures can join. */
  counting: Promise<unknown> | undefined;
}

/**
 * Saves writes to the breakers of busy targets. Failures that come together are counted in one write. A failure right
 * after a success needs none: in the table, the success would break the row. Only if as many follow as open a breaker,
 * they are counted at once.
 */
export function failuresInARow(now: Clock, after: After = afterTimeout): FailuresInARow {
  const rows = new BoundedMap<string, Row>(mostTargets);

  function rowOf(target: string): Row {
    const row = rows.get(target) ?? { failures: [], succeededAt: Number.NEGATIVE_INFINITY, counting: undefined };
    rows.set(target, row);
    return row;
  }

  async function countTogether<T>(row: Row, count: Count<T>): Promise<T | undefined> {
    await new Promise<void>((resolve) => after(windowMs, resolve));
    row.counting = undefined;
    const recentAfter = now() - successCountsForMs;
    row.failures = row.failures.filter(({ at }) => at > recentAfter);
    const { failures, succeededAt } = row;
    const isBroken = failures.length === 0 || (succeededAt > recentAfter && failures.length < opensAfterFailures);
    if (isBroken) return undefined;
    row.failures = [];
    return count(failures);
  }

  return {
    add<T>(target: string, failure: Failure, count: Count<T>): Promise<T | undefined> {
      const row = rowOf(target);
      row.failures.push({ ...failure, at: now() });
      const counting = (row.counting as Promise<T | undefined> | undefined) ?? countTogether(row, count);
      row.counting = counting;
      return counting;
    },

    end(target) {
      const row = rowOf(target);
      row.failures = [];
      row.succeededAt = now();
    },
  };
}
