import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultSchedule } from '#shared/delivery/retry-schedule.ts';
import { type Breaker, isOpen, isOpenedBy, isPauseDue, isProbeDue, nextProbeAt } from './breaker.ts';

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
