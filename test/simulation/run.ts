import { defaultSchedule } from '#shared/delivery/retry-schedule.ts';
import { type Fault, type FaultPlan, noFaults, randomFaults, singleFault } from './faults.ts';
import { seededRandom } from './random.ts';
import { randomScenario } from './random-scenario.ts';
import type { Scenario } from './scenarios.ts';
import { createWorld, type World, type WorldOptions } from './world.ts';

export interface Run {
  /** The violation, if there is one. */
  failure?: Error;
  calls: number;
  /** The number of calls, each of which could have had a fault. */
  exposed: number;
  steps: number;
  events: number;
  /** The trace; for a failed run, the lines that concern its failure. */
  trace: (all?: 'all') => string[];
}

/** A short story in which one call goes wrong, or none. */
export interface Disturbed {
  run: Run;
  /** Which story, and what went wrong. */
  name: string;
}

/**
 * Plays a story repeatedly, each time with a fault at another call. `faultsAt` selects the faults of each call.
 */
export async function* disturb(
  scenario: Scenario,
  faultsAt: (call: number, calls: number) => readonly Fault[],
): AsyncGenerator<Disturbed> {
  const undisturbed = await runScenario(scenario);
  yield { run: undisturbed, name: scenario.name };
  const calls = scenario.isLong ? 0 : undisturbed.exposed;
  for (let at = 0; at < calls; at++) {
    for (const fault of faultsAt(at, calls)) {
      yield {
        run: await runScenario(scenario, singleFault(at, fault)),
        name: `"${scenario.name}" with "${fault}" at call ${at}`,
      };
    }
  }
}

/** A run with everything drawn from one seed. */
export function runSeed(seed: number): Promise<Run> {
  const random = seededRandom(seed ^ 0x5eed);
  return run(randomScenario, {
    seed,
    schedule: random.chance(0.6) ? [10, 30, 120, 600] : random.chance(0.5) ? [5, 900, 1_800] : defaultSchedule,
    faults: randomFaults(random.fork(), random.pick([0, 0.005, 0.02, 0.05])),
    deliveryProcesses: random.between(1, 4),
    skewMs: random.pick([0, 0, 500]),
    twice: random.pick([0, 0.05]),
    losing: random.pick([0, 0.2]),
  });
}

function runScenario({ play, schedule }: Scenario, faults: FaultPlan = noFaults): Promise<Run> {
  const story = async (world: World) => {
    await play(world);
    await world.end();
  };
  return run(story, { seed: 1, schedule, faults });
}

async function run(
  scenario: (world: World) => Promise<void>,
  options: Partial<WorldOptions> & { seed: number; faults: FaultPlan },
): Promise<Run> {
  let exposed = 0;
  const faults: FaultPlan = (call) => {
    exposed++;
    return options.faults(call);
  };
  const world = createWorld({
    schedule: defaultSchedule,
    deliveryProcesses: 2,
    skewMs: 0,
    twice: 0,
    losing: 0,
    maxSteps: 100_000,
    ...options,
    faults,
  });
  const failure = await quietly(world, async () => {
    try {
      await world.scheduler.run(scenario(world));
      return undefined;
    } catch (error) {
      return error as Error;
    }
  });
  return {
    ...(failure && { failure }),
    calls: world.calls.count(),
    exposed,
    steps: world.scheduler.steps,
    events: world.history.events.size,
    trace: (all) => world.trace.lines(all ? undefined : failure?.message),
  };
}

/** What the product logs goes into the trace. */
async function quietly<T>({ trace, scheduler }: World, work: () => Promise<T>): Promise<T> {
  const levels = ['info', 'warn', 'error'] as const;
  const originals = levels.map((level) => console[level]);
  for (const level of levels) {
    console[level] = ({ stack, ...entry }: Record<string, unknown>) =>
      trace.add(scheduler.now, 'log', level, stack === undefined ? entry : { ...entry });
  }
  try {
    return await work();
  } finally {
    for (const [index, level] of levels.entries()) console[level] = originals[index] ?? console.log;
  }
}
