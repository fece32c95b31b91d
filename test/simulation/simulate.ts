import { parseArgs } from 'node:util';
import { faultKinds } from './faults.ts';
import { type Disturbed, disturb, runSeed } from './run.ts';
import { scenarios } from './scenarios.ts';

const usage = `Runs delivery processes, queue, table, sweep and receivers on a virtual clock, with faults at random, until a run fails.

  npm run simulate -- --seed 7             one run, all of it drawn from this seed
  npm run simulate -- --runs 1000          runs with the seeds 1 to 1000; --seed says where to begin
  npm run simulate -- --minutes 10         as many as there is time for
  npm run simulate -- --scenarios          short stories instead, with every fault at every call in turn
  --trace                                  prints all that happened in a failed run, not only what concerns the failure
`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    runs: { type: 'string' },
    minutes: { type: 'string' },
    scenarios: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function numberOf(option: 'seed' | 'runs' | 'minutes'): number | undefined {
  const text = values[option];
  if (text === undefined || /^\d+(\.\d+)?$/.test(text)) return text === undefined ? undefined : Number(text);
  console.error(`--${option} takes a number, not "${text}".\n\n${usage}`);
  return process.exit(2);
}

async function* randomRuns(): AsyncGenerator<Disturbed> {
  const first = numberOf('seed') ?? 1;
  const runs = numberOf('runs') ?? (numberOf('minutes') === undefined ? 1 : Number.POSITIVE_INFINITY);
  for (let seed = first; seed < first + runs; seed++) {
    yield { run: await runSeed(seed), name: `Seed ${seed} (npm run simulate -- --seed ${seed})` };
  }
}

async function* disturbedScenarios(): AsyncGenerator<Disturbed> {
  for (const scenario of scenarios) yield* disturb(scenario, () => faultKinds);
}

async function simulate(): Promise<void> {
  const startedAt = Date.now();
  const endsAt = startedAt + (numberOf('minutes') ?? Number.POSITIVE_INFINITY) * 60_000;
  const total = { runs: 0, calls: 0, events: 0 };
  for await (const { run, name } of values.scenarios ? disturbedScenarios() : randomRuns()) {
    total.runs++;
    total.calls += run.calls;
    total.events += run.events;
    if (run.failure) {
      console.log(
        `${run.trace(values.trace ? 'all' : undefined).join('\n')}\n\n${name} failed: ${run.failure.message}`,
      );
      process.exitCode = 1;
      break;
    }
    if (Date.now() >= endsAt) break;
  }
  const perMinute = Math.round((total.runs / (Date.now() - startedAt)) * 60_000);
  const { user, system } = process.cpuUsage();
  const cpuMs = ((user + system) / 1000 / total.runs).toFixed(1);
  console.log(
    `${total.runs} runs, ${perMinute} per minute, ${cpuMs} ms of CPU time each, with ${total.events} events and ${total.calls} calls`,
  );
}

if (values.help) console.log(usage);
else await simulate();
