import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isIn, unmet } from '#shared/base/state-machine.ts';
import { defaultSchedule } from '#shared/delivery/retry-schedule.ts';
import {
  type Breaker,
  type BreakerTransition,
  breakerMachine,
  isOpen,
  isOpenedBy,
  isPauseDue,
  isProbeDue,
  nextProbeAt,
} from './breaker.ts';

const now = 1_800_000_000_000;
const hours = 3_600_000;
const open: Breaker = { failures: 10, opened_at: now, probe_at: now + 10_000 };

describe('a breaker', () => {
  it('opens at the tenth failure in a row, unless a single delivery causes them', () => {
    const opensAt = (failures: number, failed = ['second', 'first']) =>
      isOpenedBy(failed, { failures, first_delivery: 'first' });
    expect([opensAt(7), opensAt(8), opensAt(9)]).toEqual([false, true, true]);
    expect(opensAt(50, ['first'])).toBe(false);
    expect(isOpenedBy(Array(10).fill('first'), { failures: 0 })).toBe(false);
    expect(isOpenedBy([...Array(9).fill('first'), 'second'], { failures: 0 })).toBe(true);
  });

  it('a breaker is closed without failures', () => {
    expect([isOpen(undefined), isOpen({ failures: 3 }), isOpen(open)]).toEqual([false, false, true]);
  });

  it('may be probed when a probe is due, unless it is paused or closed', () => {
    expect([isProbeDue(open, now), isProbeDue(open, now + 10_000)]).toEqual([false, true]);
    expect(isProbeDue({ ...open, paused_at: now }, now + 10_000)).toBe(false);
    expect(isProbeDue({ failures: 10 }, now)).toBe(false);
  });

  it('is paused after 28 hours', () => {
    expect([isPauseDue(open, now + 28 * hours - 1), isPauseDue(open, now + 28 * hours)]).toEqual([false, true]);
    expect(isPauseDue({ failures: 99 }, now)).toBe(false);
  });
});

describe('probes', () => {
  it('are made at the delays of the schedule, and about every quarter of an hour in the end', () => {
    const gaps = Array.from(
      { length: 12 },
      (_, probes) => (nextProbeAt(probes, defaultSchedule, now, 0.5) - now) / 1000,
    );
    expect(gaps).toEqual([10, 30, 120, 600, 900, 900, 900, 900, 900, 900, 900, 900]);
  });

  it('are made at the last delay of a shorter schedule once its delays are used up', () => {
    const gaps = [0, 1, 2, 3].map((probes) => nextProbeAt(probes, [1, 2], now, 0.5) - now);
    expect(gaps).toEqual([1_000, 2_000, 2_000, 2_000]);
    expect(nextProbeAt(0, [], now, 0.5) - now).toBe(900_000);
  });

  it('come up to a fifth sooner or later, at random, so that targets that failed together are probed apart', () => {
    const gaps = [0, 0.5, 1 - Number.EPSILON].map((random) => nextProbeAt(3, defaultSchedule, now, random) - now);
    expect(gaps).toEqual([480_000, 600_000, 720_000]);
  });

  it('are made again and again, whatever the schedule', () => {
    const schedules = fc.array(fc.double({ min: 0, max: 43_200, noNaN: true }));
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(schedules, fc.nat(100), random, (schedule, probes, drawn) => {
        const at = nextProbeAt(probes, schedule, now, drawn);
        return at >= now && at <= now + 1_080_000;
      }),
    );
  });
});

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
