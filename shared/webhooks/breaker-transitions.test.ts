import { describe, expect, it } from 'vitest';
import { isIn, unmet } from '#shared/base/state-machine.ts';
import { type Breaker, type BreakerTransition, breakerMachine } from './breaker.ts';

const now = Date.UTC(2026, 0, 31);

/** A circuit breaker in each state; `none` and `closed` are the same state, without a record and with one. */
const breakers = {
  none: undefined,
  closed: { failures: 3 },
  open: { failures: 10, opened_at: now, probe_at: now + 1 },
  'half-open': { failures: 10, opened_at: now - 1, probe_at: now },
  paused: { failures: 10, opened_at: now - 1, probe_at: now, paused_at: now },
  draining: { failures: 3, drain: { token: 'mine', since: now, at: now } },
} satisfies Record<string, Breaker | undefined>;

type Case = keyof typeof breakers;

const allowed: Record<Case, BreakerTransition[]> = {
  none: ['countFailures', 'reset'],
  closed: ['countFailures', 'reset', 'open'],
  open: ['pause', 'noteAnnounced', 'startDraining'],
  'half-open': ['takeProbe', 'pause', 'noteAnnounced', 'startDraining'],
  paused: ['noteAnnounced', 'notePauseAnnounced', 'startDraining'],
  draining: ['countFailures', 'clearFailures', 'open', 'noteAnnounced', 'continueDraining', 'endDraining'],
};

const states: Record<Case, (keyof typeof breakerMachine.states)[]> = {
  none: ['closed'],
  closed: ['closed'],
  open: ['open'],
  'half-open': ['open', 'half-open'],
  paused: ['paused'],
  draining: ['draining'],
};

const args = { now, failures: 3, probe_at: now, token: 'mine' };
const names = Object.keys(breakerMachine.transitions) as BreakerTransition[];
const cases = Object.keys(breakers) as Case[];
const pairs = cases.flatMap((state) => names.map((name) => ({ state, name })));

describe('the transitions of a circuit breaker', () => {
  it.each(cases)('cover the states of a circuit breaker that is %s', (state) => {
    const all = Object.keys(breakerMachine.states) as (keyof typeof breakerMachine.states)[];
    expect(all.filter((each) => isIn(breakerMachine, each, breakers[state], { now }))).toEqual(states[state]);
  });

  it.each(pairs)('$name of a circuit breaker that is $state', ({ state, name }) => {
    expect(unmet(breakerMachine, name, breakers[state], args).length === 0).toBe(allowed[state].includes(name));
  });

  it.each<[BreakerTransition, Case, object, string]>([
    ['open', 'closed', { failures: 2 }, 'no failure was counted meanwhile'],
    ['takeProbe', 'half-open', { probe_at: now - 1 }, 'nobody else took the probe'],
    ['continueDraining', 'draining', { token: 'other' }, 'the drain is ours'],
    ['endDraining', 'draining', { token: 'other' }, 'the drain is ours'],
  ])('%s of a circuit breaker that is %s is rejected with %j', (name, state, members, reason) => {
    expect(unmet(breakerMachine, name, breakers[state], { ...args, ...members })).toEqual([reason]);
  });
});
