/**
 * `npm run soak` puts mixed load with faults on the local world and then checks that it kept all its promises.
 * Options: `-- --minutes N --seed S --write`; `--without-kills` kills no processes and injects no upstream faults.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { randomFrom } from '#support/random.ts';
import { buildInto } from '../build.ts';
import { writeReadme } from '../report/report.ts';
import { createApiTraffic, simulator } from './api-traffic.ts';
import { type Check, check } from './checks.ts';
import { createCustomers } from './customers.ts';
import { createDisturbances } from './disturbances.ts';
import { createEventSender } from './events.ts';
import { injectFaults } from './faults.ts';
import {
  attemptsOf,
  countOpenBreakers,
  countStates,
  listFlowsHere,
  listFlowsUpstream,
  waitUntilDone,
} from './inspect.ts';
import { createLedger } from './ledger.ts';
import { startReceivers } from './receivers.ts';
import { soakTables } from './report.ts';
import { type Sample, takeSample } from './samples.ts';
import { startSoakWorld } from './soak-world.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    'without-kills': { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error(
    'Usage: npm run soak -- [--minutes N] [--seed S] [--without-kills] [--write]. N is more than 0, S a whole number.',
  );
  process.exit(2);
}

const timeoutMs = 3_000;

/** A retry schedule in seconds that outlasts every outage, and a short limit for an attempt. */
const variables = {
  DELIVERY_RETRY_SCHEDULE: ['1', '1', '2', '2', '3', '3', ...Array(20).fill('5')].join(),
  DELIVERY_TIMEOUT_MS: String(timeoutMs),
};

/** Sampling is not free: it reads the size of every file. */
const sampleEveryMs = 3_000;
const doneWithinMs = 180_000;

const folder = await mkdtemp(join(tmpdir(), 'soak-'));
const checks = await soak().finally(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
if (!checks.every(({ kept }) => kept)) process.exitCode = 1;

async function soak(): Promise<Check[]> {
  const { templateFile } = await buildInto(join(folder, 'build'));
  const dataDir = join(folder, 'data');
  const randomOf = (part: number) => randomFrom(seed * 10 + part);
  const ledger = createLedger();
  const disturbances = createDisturbances();
  const world = await startSoakWorld(templateFile, dataDir, variables);
  const receivers = await startReceivers({ ledger, random: randomOf(1), inTimeMs: timeoutMs / 2 });
  try {
    const customers = await createCustomers(world, receivers);
    const sender = createEventSender(world, ledger, randomOf(2));
    const api = createApiTraffic({ world, ledger, disturbances, receivers, random: randomOf(3) });
    console.log(`Load for ${minutes} minutes with seed ${seed}.`);

    const start = Date.now();
    const stop = AbortSignal.timeout(minutes * 60_000);
    const samples: Sample[] = [];
    const plan = { worldKillsAt: worldKillTimes(start), everyMs: 8_000 };
    await Promise.all([
      sender.run(customers, stop),
      sender.run(customers, stop),
      api.run(customers, stop),
      api.run(customers, stop),
      values['without-kills'] ? undefined : injectFaults(world, disturbances, plan, randomOf(4), stop),
      repeat(sampleEveryMs, stop, () => void samples.push(takeSample(world, dataDir))),
      repeat(30_000, stop, () =>
        console.log(`${ledger.acknowledged()} acknowledged, ${ledger.missing().length} under way`),
      ),
    ]);

    console.log('The load is over. Waiting until everything is done.');
    receivers.heal();
    await simulator(world, 'faults', undefined, 'DELETE');
    await sender.finish();
    await waitUntilDone(world, { customers, ledger, api }, doneWithinMs);

    const account = ledger.account(disturbances);
    const isExplained = (line: { at: number }) => disturbances.between(line.at - timeoutMs, line.at);
    const states = await countStates(world, customers);
    const flowsHere = await listFlowsHere(api);
    const found = check({
      account,
      flowsHere,
      flowsUpstream: await listFlowsUpstream(world),
      states,
      openBreakers: await countOpenBreakers(world),
      ...(await world.queueLengths()),
      unexplainedErrorLines: world.errors.filter((line) => !isExplained(line)).map(({ text }) => text.slice(0, 300)),
      unexplainedFailures: api.figures.unexplained,
      samples,
    });
    const text = soakTables({
      minutes,
      seed,
      figures: [
        ['Requests of the upstream', sender.figures.requests],
        ['…of them without a 200, and sent again', sender.figures.rejected],
        ['Notifications acknowledged', account.expected],
        ['…of them arrived', account.arrived],
        [
          '…of them discarded because their URL was removed',
          account.expected - account.arrived - account.missing.length,
        ],
        ['Repeats that a kill or a replay explains', account.explainedRepeats],
        ['API requests', api.figures.requests],
        ['…of them with 5xx', api.figures.serverErrors],
        ['…of them without a response', api.figures.unanswered],
        ['Kills of function processes', disturbances.count('function killed')],
        ['Kills of the whole world', disturbances.count('world killed')],
        ['Faults of the upstream', disturbances.count('upstream fault')],
        ['Flows at the end', flowsHere.length],
        ['Deliveries in the log', Object.values(states).reduce((sum, count) => sum + count, 0)],
        ['Size of the table, KB for each delivery', tableKbPerDelivery(samples, states)],
        ['Error lines that a fault explains', world.errors.filter(isExplained).length],
      ],
      checks: found,
    });
    console.log(text);
    for (const repeat of account.unexplainedRepeats) {
      console.log(JSON.stringify({ ...repeat, log: await attemptsOf(world, repeat) }));
    }
    if (values.write) writeReadme('soak', text);
    return found;
  } finally {
    await world.close();
    await receivers.close();
  }
}

/** Spreads the kills evenly: three, or fewer in a short run. */
function worldKillTimes(start: number): number[] {
  const kills = Math.min(3, Math.ceil(minutes / 2));
  return Array.from({ length: kills }, (_, index) => start + ((index + 1) / (kills + 1)) * minutes * 60_000);
}

async function repeat(everyMs: number, stop: AbortSignal, work: () => void): Promise<void> {
  while (!stop.aborted) {
    await delay(everyMs, undefined, { signal: stop }).catch(() => undefined);
    work();
  }
}

function tableKbPerDelivery(samples: readonly Sample[], states: Record<string, number>): number {
  const deliveries = Object.values(states).reduce((sum, count) => sum + count, 0);
  return ((samples.at(-1)?.tableMb ?? 0) * 1024) / Math.max(1, deliveries);
}
