import { hourMs } from '#shared/base/duration.ts';
import { breakerMachine } from './breaker-transitions.ts';
import { isIn } from './state-machine.ts';

/** The circuit breaker of a target; one that is closed without failures has no record. See `breakerMachine`. */
export interface Breaker {
  /** Failures in a row. */
  failures: number;
  /** The delivery that the row began with: one delivery alone never opens it. */
  first_delivery?: string;
  /** The attempt that was counted last. */
  last_counted?: string;
  /** Epoch milliseconds; present while open. */
  opened_at?: number;
  /** When one delivery may be tried next, while open. */
  probe_at?: number;
  /** Probes that failed since it opened. */
  probes?: number;
  /** Paused until somebody resumes it: no probes are sent. */
  paused_at?: number;
  /** Closed again, with deliveries still held: which messages release them, since when, and when they last did. */
  drain?: { token: string; since: number; at: number };
}

const opensAfterFailures = 10;

/** A target that has not responded for as long as a delivery is retried is paused. */
const pausesAfterMs = 28 * hourMs;

/** Seconds between probes: at first often, later now and then. */
const longestProbeGapSeconds = 900;

/** Whether deliveries are held: it is open, half-open or paused. */
export function isOpen(breaker: Breaker | undefined): boolean {
  return breaker?.opened_at !== undefined;
}

/** Whether this failure opens it: ten in a row, of more than one delivery. */
export function opens(breaker: Breaker, delivery: string): boolean {
  return !isOpen(breaker) && breaker.failures >= opensAfterFailures && breaker.first_delivery !== delivery;
}

/** Whether it is half-open: one delivery may be tried now. */
export function isProbeDue(breaker: Breaker, now: number): boolean {
  return isIn(breakerMachine, 'half-open', breaker, { now });
}

/** When the next probe is due: the gaps are those of the retry schedule, so a shortened schedule probes sooner, too. */
export function nextProbeAt(probes: number, schedule: readonly number[], now: number): number {
  const gap = schedule[Math.min(probes, schedule.length - 1)] ?? longestProbeGapSeconds;
  return now + Math.min(gap, longestProbeGapSeconds) * 1000;
}

/** Whether it has been open for so long that it is to be paused. */
export function isPauseDue(breaker: Breaker, now: number): boolean {
  return now - (breaker.opened_at ?? now) >= pausesAfterMs;
}
