import { BoundedMap } from '#shared/base/cache.ts';
import { type After, afterTimeout } from '#shared/base/time/after.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import { opensAfterFailures } from '../subscribers/breaker.ts';
import type { Failure } from '../subscribers/breaker-store.ts';

/**
 * How long a failure waits for the outcome of other attempts at its target, in milliseconds. The batch waits for them
 * anyway.
 */
const longestWaitMs = 500;

/** How long a success of this process keeps fewer failures than open a breaker from being counted. */
const successCountsForMs = 1_000;

/** The most targets whose failures and successes are remembered. */
const maxTargets = 1_000;

/** Counts failures that came together. */
export type Count<T> = (failures: readonly Failure[]) => Promise<T>;

/** What one process has seen of its targets since their latest success. */
export interface FailuresInARow {
  /** An attempt at the target begins. */
  begin(target: string): RowAttempt;
}

/** An attempt that will add to the row of its target, or break it. */
export interface RowAttempt {
  /**
   * Resolves with what `count` returned for the failures of which this is one, or with `undefined` if they are not
   * counted, because a success broke the row.
   */
  fail<T>(failure: Failure, count: Count<T>): Promise<T | undefined>;
  /** A success breaks the row. */
  succeed(): void;
  /** Nothing more comes of the attempt. It can have failed or succeeded before. */
  end(): void;
}

type TimedFailure = Failure & { at: number };

interface Row {
  /** Failures that wait to be counted. */
  failures: TimedFailure[];
  /** Those that were not counted, because a success came right before. They are counted if enough follow soon. */
  leftOut: TimedFailure[];
  succeededAt: number;
  /** Attempts that may still fail or succeed. */
  inProgress: number;
  /** The count that later failures can join, and what ends the wait for them. */
  waiting: { counted: Promise<unknown>; stop: () => void } | undefined;
}

const newRow = (): Row => ({
  failures: [],
  leftOut: [],
  succeededAt: Number.NEGATIVE_INFINITY,
  inProgress: 0,
  waiting: undefined,
});

/**
 * Saves writes to the breakers of busy targets. A failure waits for the other attempts that its process makes at the
 * target, and all that fail are counted in one write. If one of them succeeds, or one did right before, no write is
 * needed: in the table, the success would break the row. Only if as many follow as open a breaker, they are counted.
 */
export function failuresInARow(now: Clock, after: After = afterTimeout): FailuresInARow {
  const rows = new BoundedMap<string, Row>(maxTargets);

  async function countTogether<T>(row: Row, othersAreDone: Promise<void>, count: Count<T>): Promise<T | undefined> {
    await othersAreDone;
    row.waiting = undefined;
    const recentAfter = now() - successCountsForMs;
    // Those that waited are counted however old they are: a busy process waits for longer than it asked for.
    const failures = [...row.leftOut.filter(({ at }) => at > recentAfter), ...row.failures];
    const isBroken = row.succeededAt > recentAfter && failures.length < opensAfterFailures;
    row.failures = [];
    row.leftOut = isBroken ? failures : [];
    return isBroken || failures.length === 0 ? undefined : count(failures);
  }

  function waitToCount<T>(row: Row, count: Count<T>): NonNullable<Row['waiting']> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = after(longestWaitMs, resolve);
    const stop = () => {
      cancel();
      resolve();
    };
    return { counted: countTogether(row, promise, count), stop };
  }

  return {
    begin(target) {
      const row = rows.getOrInsertComputed(target, newRow);
      row.inProgress++;
      let hasEnded = false;

      function end(): void {
        if (hasEnded) return;
        hasEnded = true;
        row.inProgress--;
        if (row.inProgress === 0) row.waiting?.stop();
      }

      return {
        fail<T>(failure: Failure, count: Count<T>): Promise<T | undefined> {
          row.failures.push({ ...failure, at: now() });
          row.waiting ??= waitToCount(row, count);
          const counted = row.waiting.counted as Promise<T | undefined>;
          end();
          return counted;
        },

        succeed() {
          row.failures = [];
          row.leftOut = [];
          row.succeededAt = now();
          end();
        },

        end,
      };
    },
  };
}
