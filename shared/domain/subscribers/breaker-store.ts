import type { Breaker } from './breaker.ts';
import type { Target, TargetRecord } from './target.ts';

/** A target whose circuit breaker is open, or was open and is being drained. */
export interface OpenOrDrainingTarget {
  /** The subscriber's id. */
  subscriber: string;
  target: Target;
  breaker: Breaker;
}

/** A failed attempt of the schedule. */
export interface Failure {
  delivery: string;
  /** The id of the attempt. */
  attempt: string;
}

export interface FailureCount {
  /** Where the attempts went. */
  url: string;
  failures: readonly Failure[];
  /** Whether the caller expects that no failure of the streak was counted before; the store finds out if it is wrong. */
  startsStreak: boolean;
}

/** The circuit breakers of targets. Each method makes one transition of `breakerMachine`, if the breaker permits it. */
export interface BreakerStore {
  /** Reads one circuit breaker, consistently; `undefined` when its target does not exist. */
  read(subscriber: string, target: Target): Promise<Breaker | undefined>;
  /**
   * Counts more failures in a row of attempts at a URL, in one write. The first of a streak increments the target's version,
   * so that other processes learn of the streak. Counts nothing if the target has another URL by now. The first attempt keeps
   * a write that the client repeats after a lost response from counting twice. Returns the target as it is then.
   */
  countFailures(subscriber: string, target: Target, count: FailureCount): Promise<TargetRecord>;
  /** Resets the failure count of a target that is being drained. */
  clearFailures(subscriber: string, target: Target): Promise<void>;
  /**
   * Opens the breaker, unless it is open already or the target has another URL than this one, and increments the
   * target's version. The first probe is due at `probeAt`. Returns the target as it is then.
   */
  open(subscriber: string, target: Target, now: number, probeAt: number, url: string): Promise<TargetRecord>;
  /** Takes the probe that is due. Only one of several callers gets it. `breaker` is what the caller has read. */
  takeProbe(subscriber: string, target: Target, breaker: Breaker, now: number, nextProbeAt: number): Promise<boolean>;
  /** Pauses the target until somebody resumes it; `false` when it is not open. */
  pause(subscriber: string, target: Target, now: number): Promise<boolean>;
  /** Notes the event that was announced last. After that of its pause, the target leaves `listOpenOrDraining`. */
  noteAnnounced(subscriber: string, target: Target, event: { name: string; isPause: boolean }): Promise<void>;
  /** Closes the breaker and begins a drain; `false` when it was not open. */
  startDraining(subscriber: string, target: Target, token: string, now: number): Promise<boolean>;
  /** Records that the drain continues, with the token `next` if given; `false` when another drain has begun. */
  continueDraining(subscriber: string, target: Target, token: string, now: number, next?: string): Promise<boolean>;
  /** Forgets the failures that a closed breaker counted, unless it has opened since or is being drained. */
  reset(subscriber: string, target: Target): Promise<void>;
  /** Ends the drain with this token: nothing is held for the target any more. */
  endDraining(subscriber: string, target: Target, token: string): Promise<void>;
  /** Targets whose breaker is open, or being drained. Those that are paused are left out once that is announced. */
  listOpenOrDraining(): AsyncGenerator<OpenOrDrainingTarget>;
}
