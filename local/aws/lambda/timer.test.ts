import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startTimer } from './timer.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** How many milliseconds a timer of one second takes. */
function durationWith(isTimeLeft: () => boolean): number {
  const called = vi.fn();
  startTimer(1_000, called, isTimeLeft);
  for (let ms = 0; ms < 10_000; ms += 10) {
    if (called.mock.calls.length > 0) return ms;
    vi.advanceTimersByTime(10);
  }
  return Number.POSITIVE_INFINITY;
}

it('a timer of the local world takes its time on a machine that has processor time left', () => {
  expect(durationWith(() => true)).toBe(1_000);
});

it('a timer of the local world takes about three times as long while no core is idle', () => {
  const duration = durationWith(() => false);
  expect(duration).toBeGreaterThan(2_500);
  expect(duration).toBeLessThan(3_500);
});

it('a timer of the local world that was stopped does not call', () => {
  const called = vi.fn();
  const stop = startTimer(1_000, called, () => true);
  vi.advanceTimersByTime(500);
  stop();
  vi.advanceTimersByTime(10_000);
  expect(called).not.toHaveBeenCalled();
});
