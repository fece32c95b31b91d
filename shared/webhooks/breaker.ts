import { type Arguments, isIn, stateMachine } from '#shared/base/state-machine.ts';
import { hourMs, withJitter } from '#shared/base/time.ts';

/** A target that has not responded for as long as a delivery is retried is paused. */
export const pausesAfterHours = 28;

/** The circuit breaker of a target. See `breakerMachine`. */
export interface Breaker {
  /** Failures in a row. */
  failures: number;
  /** The delivery of the first of these failures. One delivery alone never opens the breaker. */
  first_delivery?: string;
  /** Epoch milliseconds; present while open. */
  opened_at?: number;
  /** While the breaker is open: when the next probe is due. */
  probe_at?: number;
  /** How many probes have failed since it opened. */
  probes?: number;
  /** Paused until somebody resumes it: no probes are sent. */
  paused_at?: number;
  /** Present after the breaker closed, while held deliveries are released. `at` is the time of the latest step. */
  drain?: { token: string; since: number; at: number };
  /** While it drains: when it opened last. */
  last_opened_at?: number;
  /** The event that the workspace was sent last. */
  announced?: string;
}

/** This many failures in a row open a breaker. */
export const opensAfterFailures = 10;

/** Limits the seconds between probes, which grow with each failed probe, apart from their jitter. */
const longestProbeGapSeconds = 900;

/** Whether deliveries are held, because the breaker is open, half-open or paused. */
export function isOpen(breaker: Breaker | undefined): boolean {
  return breaker?.opened_at !== undefined;
}

/**
 * Whether further failures, of these deliveries, open a closed breaker: they make it ten or more, and one of them is of
 * another delivery than the first that failed. One delivery that always fails never opens it.
 */
export function isOpenedBy(failed: readonly string[], { failures, first_delivery = failed[0] }: Breaker): boolean {
  return failures + failed.length >= opensAfterFailures && failed.some((delivery) => delivery !== first_delivery);
}

/** Whether the breaker is half-open, so that one delivery may be tried now. */
export function isProbeDue(breaker: Breaker, now: number): boolean {
  return isIn(breakerMachine, 'half-open', breaker, { now });
}

/**
 * Returns when the next probe is due. The gaps follow the retry schedule, so a shorter schedule probes sooner. They
 * vary as its delays do, so that targets that failed together are not probed together. `random` is in [0, 1).
 */
export function nextProbeAt(probes: number, schedule: readonly number[], now: number, random: number): number {
  const gap = schedule[Math.min(probes, schedule.length - 1)] ?? longestProbeGapSeconds;
  return now + Math.round(withJitter(Math.min(gap, longestProbeGapSeconds), random) * 1000);
}

/** Whether the breaker has been open for so long that the target should be paused. */
export function isPauseDue(breaker: Breaker, now: number): boolean {
  return now - (breaker.opened_at ?? now) >= pausesAfterHours * hourMs;
}

/** The circuit breaker of a target. `docs/internals/delivery-states.md` is generated from it: `npm run diagrams`. */
export const breakerMachine = /* @__PURE__ */ stateMachine({
  states: {
    closed: {
      facts: [
        ['opened_at', 'absent'],
        ['drain', 'absent'],
      ],
      meaning: 'Failures in a row are counted.',
    },
    open: {
      facts: [
        ['opened_at', 'present'],
        ['paused_at', 'absent'],
      ],
      meaning: 'Deliveries are held.',
    },
    'half-open': {
      facts: [
        ['opened_at', 'present'],
        ['paused_at', 'absent'],
        ['probe_at', '<=', ':now'],
      ],
      meaning: 'One delivery may be attempted, the probe.',
      within: { state: 'open', when: 'the probe is due' },
    },
    paused: {
      facts: [
        ['opened_at', 'present'],
        ['paused_at', 'present'],
      ],
      meaning: 'Open and no longer probed, until somebody resumes it.',
    },
    draining: {
      facts: [
        ['opened_at', 'absent'],
        ['drain', 'present'],
      ],
      meaning: 'Deliveries are made again, and those that were held are released.',
    },
  },
  conditions: {
    'no failure was counted meanwhile': [['failures', '=', ':failures']],
    'nobody else took the probe': [['probe_at', '=', ':probe_at']],
    'the drain is ours': [['drain.token', '=', ':token']],
  },
  transitions: {
    countFailures: { from: ['closed', 'draining'], to: 'unchanged' },
    clearFailures: { from: ['draining'], to: 'draining' },
    reset: { from: ['closed'], to: 'closed' },
    open: { from: ['closed', 'draining'], to: 'open', when: ['no failure was counted meanwhile'] },
    takeProbe: { from: ['half-open'], to: 'open', when: ['nobody else took the probe'] },
    pause: { from: ['open'], to: 'paused' },
    noteAnnounced: { from: ['open', 'paused', 'draining'], to: 'unchanged' },
    notePauseAnnounced: { from: ['paused'], to: 'unchanged' },
    startDraining: { from: ['open', 'paused'], to: 'draining' },
    continueDraining: { from: ['draining'], to: 'draining', when: ['the drain is ours'] },
    endDraining: { from: ['draining'], to: 'closed', when: ['the drain is ours'] },
  },
});

export type BreakerTransition = keyof typeof breakerMachine.transitions;

/** The arguments of transitions. Each transition needs some of them. */
export interface BreakerArguments extends Arguments {
  now?: number;
  failures?: number;
  probe_at?: number | undefined;
  token?: string;
}
