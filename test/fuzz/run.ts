/**
 * The fuzzer by hand: `npm run fuzz -- --seed N --minutes M`, on a fresh local world in a temporary folder. Without
 * `--seed` it takes one of its own; without `--minutes` it runs for one. Exits with 1 when it found something.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildInto, builtFolders } from '#local/start/build.ts';
import { startWorld } from '#local/world.ts';
import type { WorldDescription } from '#local/world-description.ts';
import { type Figures, fuzz, report } from './fuzz.ts';
import { logFaults, worldFaults } from './log-faults.ts';

const { values } = parseArgs({ options: { seed: { type: 'string' }, minutes: { type: 'string' } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
const minutes = Number(values.minutes ?? 1);
if (!Number.isInteger(seed) || !(minutes > 0)) {
  console.error('Usage: npm run fuzz -- --seed WHOLE_NUMBER --minutes NUMBER');
  process.exit(2);
}

const folder = await mkdtemp(join(tmpdir(), 'fuzz-'));
const logs: string[] = [];
const errors: Error[] = [];
try {
  console.log(`seed ${seed}, ${minutes} min; building`);
  const build = join(folder, 'build');
  await buildInto(build);
  const world = await startWorld({
    templateFile: join(builtFolders(build).assemblyDirectory, 'messaging-dev.template.json'),
    dataDir: join(folder, 'data'),
    fresh: true,
    ports: { api: 0, upstream: 0 },
    clockOffsetSeconds: 0,
    sweepSeconds: 5,
    environment: { DELIVERY_TIMEOUT_MS: '2000', DELIVERY_RETRY_SCHEDULE: '1,5,20' },
    onLog: (functionName, line) => keep(`${functionName} ${line}`),
    onError: (error) => errors.push(error),
  });
  try {
    const figures = await run(world.description);
    finish(figures);
  } finally {
    await world.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function run(world: WorldDescription): Promise<Figures> {
  const end = Date.now() + minutes * 60_000;
  let toldAt = Date.now();
  let toldFailures = 0;
  return fuzz({
    world,
    seed,
    goOn: () => Date.now() < end,
    onProgress: ({ requests, failures, byStatus }) => {
      if (failures.length > toldFailures) console.log(report(failures.slice(toldFailures), seed));
      toldFailures = failures.length;
      if (Date.now() - toldAt < 10_000) return;
      toldAt = Date.now();
      console.log(`${requests} requests, ${failures.length} failures ${JSON.stringify(byStatus)}`);
    },
  });
}

function finish(figures: Figures): void {
  const { failures, slowestMs, ...counts } = figures;
  const unexpected = [...logFaults(logs), ...worldFaults(errors)];
  console.log(JSON.stringify(counts, null, 2));
  for (const line of unexpected.slice(0, 20)) console.log(line.slice(0, 2_000));
  console.log(
    `seed ${seed}: ${figures.requests} requests, ${failures.length} failures, ${unexpected.length} unexpected log lines, slowest ${Math.round(slowestMs)} ms`,
  );
  process.exitCode = failures.length + unexpected.length > 0 ? 1 : 0;
}

/** Keeps only lines that may report a fault, because a long run logs many others. */
function keep(line: string): void {
  if (!/"level":"(?:INFO|DEBUG)"/.test(line)) logs.push(line);
}
