import { expect, it } from 'vitest';
import { watchProcessorTime } from './processor-time.ts';

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
