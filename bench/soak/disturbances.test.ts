import { expect, it } from 'vitest';
import { createDisturbances } from './disturbances.ts';

it('a kill explains what happens during it and in its aftermath, and nothing else', () => {
  const clock = { now: 100_000 };
  const disturbances = createDisturbances(() => clock.now);
  const end = disturbances.begin('function killed');
  clock.now = 110_000;
  end();
  expect(disturbances.killedBetween(0, 99_999)).toBe(false);
  expect(disturbances.killedBetween(0, 100_000)).toBe(true);
  expect(disturbances.killedBetween(140_000, 150_000)).toBe(true);
  expect(disturbances.killedBetween(140_001, 150_000)).toBe(false);
  expect(disturbances.count('function killed')).toBe(1);
});

it('a fault of the upstream explains failures, and no repeats', () => {
  const disturbances = createDisturbances(() => 100_000);
  disturbances.begin('upstream fault');
  expect(disturbances.between(100_000, 100_001)).toBe(true);
  expect(disturbances.killedBetween(100_000, 100_001)).toBe(false);
});
