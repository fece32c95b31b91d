import type { Clock } from '#shared/base/clock.ts';
import type { Target } from '../accounts/subscriber.ts';
import { longestDelaySeconds } from './limits.ts';

/** An attempt that takes longer marks its target as slow, until an attempt is faster. */
const slowAfterMs = 500;

/**
 * After a wait for slow targets, a process sends them nothing for three times as long. So it spends at most a quarter
 * of its time on them.
 */
const restPerWait = 3;

/** The most attempts that one batch makes in parallel for one slow target. */
const mostPerBatch = 5;

/** The most targets that are remembered as slow. Beyond that, the oldest entry is forgotten. */
const mostTargets = 1_000;

/**
 * The shortest and the longest time for which a message is put back, before jitter. The longest is the maximum of SQS:
 * looking at a backlog of hours more often would take up all consumers.
 */
const firstPutBackSeconds = 1;
const longestPutBackSeconds = longestDelaySeconds;

interface Addressed {
  number: string;
  target: Target;
  /** How often the message was put back. If it was, its target was slow recently. */
  put_backs?: number | undefined;
}

/** Decides for the messages of one batch which may be sent now. */
export interface SlowTargets {
  /** Whether a message may be sent now. If not, it is put back. */
  admits(message: Addressed): boolean;
  /** Notes how long an attempt took, whether it succeeded or not. */
  note(message: Addressed, durationMs: number): void;
}

/**
 * Keeps targets that are slow but correct from taking up a consumer process: a batch lasts as long as its slowest
 * attempt, and others wait for the next one.
 */
export function slowTargets(now: Clock): { forBatch(): SlowTargets } {
  const slow = new Set<string>();
  let restsUntil = 0;
  return {
    forBatch() {
      const admitted = new Map<string, number>();
      const rests = now() < restsUntil;
      return {
        admits({ number, target, put_backs = 0 }) {
          const key = `${number} ${target}`;
          if (put_backs === 0 && !slow.has(key)) return true;
          const before = admitted.get(key) ?? 0;
          if (rests || before >= mostPerBatch) return false;
          admitted.set(key, before + 1);
          return true;
        },
        note({ number, target }, durationMs) {
          const key = `${number} ${target}`;
          slow.delete(key);
          if (durationMs <= slowAfterMs) return;
          slow.add(key);
          const [first = key] = slow;
          if (slow.size > mostTargets) slow.delete(first);
          restsUntil = Math.max(restsUntil, now() + restPerWait * durationMs);
        },
      };
    },
  };
}

/** Returns the seconds for which to put a message back that was put back this often before. `random` is in [0, 1). */
export function putBackSeconds(putBacks: number, random: number): number {
  const seconds = Math.min(firstPutBackSeconds * 2 ** putBacks, longestPutBackSeconds);
  return Math.min(seconds * (0.75 + 0.5 * random), longestPutBackSeconds);
}
