import { type Arguments, stateMachine } from './state-machine.ts';

/** The circuit breaker of a target. `docs/delivery-states.md` is generated from it: `npm run diagrams`. */
export const breakerMachine = stateMachine({
  states: {
    /** Failures in a row are counted. A target that has none needs no record. */
    closed: {
      facts: [
        ['opened_at', 'absent'],
        ['drain', 'absent'],
      ],
    },
    /** Deliveries are held. */
    open: {
      facts: [
        ['opened_at', 'present'],
        ['paused_at', 'absent'],
      ],
    },
    /** One delivery may be attempted, the probe. */
    'half-open': {
      facts: [
        ['opened_at', 'present'],
        ['paused_at', 'absent'],
        ['probe_at', '<=', ':now'],
      ],
      within: { state: 'open', when: 'the probe is due' },
    },
    /** Open and no longer probed, until somebody resumes it. */
    paused: {
      facts: [
        ['opened_at', 'present'],
        ['paused_at', 'present'],
      ],
    },
    /** Deliveries are made again, and those that were held are released. */
    draining: {
      facts: [
        ['opened_at', 'absent'],
        ['drain', 'present'],
      ],
    },
  },
  conditions: {
    'the attempt has not been counted': [
      ['last_counted', 'absent'],
      ['last_counted', '<>', ':attempt'],
    ],
    'nobody else took the probe': [['probe_at', '=', ':probe_at']],
    'the drain is ours': [['drain.token', '=', ':token']],
  },
  transitions: {
    countFailure: { from: 'any', to: 'unchanged', when: ['the attempt has not been counted'] },
    clearFailures: { from: ['draining'], to: 'draining' },
    reset: { from: ['closed'], to: 'closed' },
    open: { from: ['closed', 'draining', 'open'], to: 'open' },
    takeProbe: { from: ['half-open'], to: 'open', when: ['nobody else took the probe'] },
    pause: { from: ['open'], to: 'paused' },
    startDraining: { from: ['open', 'paused'], to: 'draining' },
    continueDraining: { from: ['draining'], to: 'draining', when: ['the drain is ours'] },
    endDraining: { from: ['draining'], to: 'closed', when: ['the drain is ours'] },
  },
});

export type BreakerTransition = keyof typeof breakerMachine.transitions;

/** What transitions of circuit breakers are given; each needs some of it. */
export interface BreakerArguments extends Arguments {
  now?: number;
  attempt?: string;
  probe_at?: number | undefined;
  token?: string;
}
