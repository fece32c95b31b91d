import { BoundedMap } from '#shared/base/cache.ts';
import { type After, afterTimeout, type Clock } from '#shared/base/time.ts';
import { opensAfterFailures } from '#shared/webhooks/breaker.ts';
import type { Failure } from '#shared/webhooks/breaker-store.ts';

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
export interface Streaks {
  /** An attempt at the target begins. */
  begin(target: string): StreakAttempt;
}

/** An attempt that will add to the streak of its target, or break it. */
export interface StreakAttempt {
  /**
   * Resolves with what `count` returned for the failures of which this is one, or with `undefined` if they are not
   * counted, because a success broke the streak.
   */
  fail<T>(failure: Failure, count: Count<T>): Promise<T | undefined>;
  /** A success breaks the streak. */
  succeed(): void;
  /** Nothing more comes of the attempt. It can have failed or succeeded before. */
  end(): void;
}

type TimedFailure = Failure & { at: number };

interface Streak {
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

const newStreak = (): Streak => ({
  failures: [],
  leftOut: [],
  succeededAt: Number.NEGATIVE_INFINITY,
  inProgress: 0,
  waiting: undefined,
});

/**
 * Saves writes to the breakers of busy targets. A failure waits for the other attempts that its process makes at the
 * target, and all that fail are counted in one write. If one of them succeeds, or one did right before, no write is
 * needed: in the table, the success would break the streak. If enough follow to open a breaker, they are counted after all.
 */
export function rememberStreaks(now: Clock, after: After = afterTimeout): Streaks {
  const streaks = new BoundedMap<string, Streak>(maxTargets);

  async function countTogether<T>(
    streak: Streak,
    othersAreDone: Promise<void>,
    count: Count<T>,
  ): Promise<T | undefined> {
    await othersAreDone;
    streak.waiting = undefined;
    const recentAfter = now() - successCountsForMs;
    // Those that waited are counted however old they are: a busy process waits for longer than it asked for.
    const failures = [...streak.leftOut.filter(({ at }) => at > recentAfter), ...streak.failures];
    const isBroken = streak.succeededAt > recentAfter && failures.length < opensAfterFailures;
    streak.failures = [];
    streak.leftOut = isBroken ? failures : [];
    return isBroken || failures.length === 0 ? undefined : count(failures);
  }

  function waitToCount<T>(streak: Streak, count: Count<T>): NonNullable<Streak['waiting']> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = after(longestWaitMs, resolve);
    const stop = () => {
      cancel();
      resolve();
    };
    return { counted: countTogether(streak, promise, count), stop };
  }

  return {
    begin(target) {
      const streak = streaks.getOrInsertComputed(target, newStreak);
      streak.inProgress++;
      let hasEnded = false;

      function end(): void {
        if (hasEnded) return;
        hasEnded = true;
        streak.inProgress--;
        if (streak.inProgress === 0) streak.waiting?.stop();
      }

      return {
        fail<T>(failure: Failure, count: Count<T>): Promise<T | undefined> {
          streak.failures.push({ ...failure, at: now() });
          streak.waiting ??= waitToCount(streak, count);
          const counted = streak.waiting.counted as Promise<T | undefined>;
          end();
          return counted;
        },

        succeed() {
          streak.failures = [];
          streak.leftOut = [];
          streak.succeededAt = now();
          end();
        },

        end,
      };
    },
  };
}
