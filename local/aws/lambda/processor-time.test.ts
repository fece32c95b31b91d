import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startTimer, watchProcessorTime } from './processor-time.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A machine with two cores, of which some are idle. */
function startMachine() {
  const times = { idle: 0, all: 0, cores: 2 };
  let clock = 0;
  const isLeft = watchProcessorTime(
    () => ({ ...times }),
    () => clock,
  );
  return (milliseconds: number, idleCores: number) => {
    clock += milliseconds;
    times.all += 2 * milliseconds;
    times.idle += idleCores * milliseconds;
    return isLeft();
  };
}

it.each([
  [0, false],
  [0.4, false],
  [0.6, true],
  [2, true],
])('with %d of two cores idle, whether processor time is left is %s', (idleCores, isLeft) => {
  expect(startMachine()(100, idleCores)).toBe(isLeft);
});

it('only the time since the last question counts', () => {
  const after = startMachine();
  expect(after(100, 0)).toBe(false);
  expect(after(100, 1)).toBe(true);
  expect(after(100, 0)).toBe(false);
});

it('the answer stays for a moment, in which the counters would be too coarse', () => {
  const after = startMachine();
  expect(after(100, 0)).toBe(false);
  expect(after(20, 2)).toBe(false);
  expect(after(40, 2)).toBe(true);
});

it('a call after a long time says nothing about the present', () => {
  expect(startMachine()(1_000, 0)).toBe(true);
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
