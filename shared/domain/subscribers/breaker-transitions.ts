import { type Arguments, stateMachine } from './state-machine.ts';

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
    'the attempt has not been counted': [
      ['last_counted', 'absent'],
      ['last_counted', '<>', ':attempt'],
    ],
    'nobody else took the probe': [['probe_at', '=', ':probe_at']],
    'the drain is ours': [['drain.token', '=', ':token']],
  },
  transitions: {
    countFailures: { from: 'any', to: 'unchanged', when: ['the attempt has not been counted'] },
    clearFailures: { from: ['draining'], to: 'draining' },
    reset: { from: ['closed'], to: 'closed' },
    open: { from: ['closed', 'draining'], to: 'open' },
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
  attempt?: string;
  probe_at?: number | undefined;
  token?: string;
}
