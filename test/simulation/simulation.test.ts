import { describe, expect, it } from 'vitest';
import { type Fault, faultKinds } from './faults.ts';
import { disturb, type Run, runSeed } from './run.ts';
import { scenarios } from './scenarios.ts';

/** The seeds that are run with every change; `npm run simulate` runs as many others as there is time for. */
const seeds = 72;
const seedsPerTest = 24;

/** It takes seconds on an idle machine; the limit is for a busy one. */
const timeout = 600_000;

function expectNoFailure({ failure, trace }: Run, how: string): void {
  expect(failure && `${failure.message}\n${how}\n${trace().slice(-80).join('\n')}`).toBeUndefined();
}

describe('the simulation', () => {
  it('makes the same run for the same seed', { timeout }, async () => {
    const [first, second] = [await runSeed(3), await runSeed(3)];
    expect(first.calls).toBeGreaterThan(0);
    expect(second.trace('all')).toEqual(first.trace('all'));
  });

  it('makes different runs for different seeds', async () => {
    expect((await runSeed(3)).trace('all')).not.toEqual((await runSeed(4)).trace('all'));
  });
});

describe('nothing is lost, stuck or sent where it must not go', () => {
  const starts = Array.from({ length: seeds / seedsPerTest }, (_, index) => index * seedsPerTest + 1);

  it.each(starts)(`in runs drawn at random, ${seedsPerTest} seeds from %i on`, { timeout }, async (first) => {
    for (let seed = first; seed < first + seedsPerTest; seed++) {
      expectNoFailure(await runSeed(seed), `Again: npm run simulate -- --seed ${seed}`);
    }
  });

  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    'if one call goes wrong, and %s',
    { timeout },
    async (_, scenario) => {
      for await (const { run, name } of disturb(scenario, someFaults)) expectNoFailure(run, name);
    },
  );
});

/** One kind for each call, and of long stories not every call; `npm run simulate -- --scenarios` tries all of them. */
function someFaults(call: number, calls: number): readonly Fault[] {
  const stride = Math.ceil(calls / 40);
  return call % stride === 0 ? faultKinds.filter((_, kind) => kind === (call / stride) % faultKinds.length) : [];
}
