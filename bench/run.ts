/**
 * `npm run bench` measures everything that has a budget and prints it; `--write` also writes it into bench/README.md.
 * `--only aws-cost,cpu` measures only these. `--deliveries 10000` lets `growth` do with fewer than a million.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Build, buildInto } from './build.ts';
import { measureAwsCost } from './measurements/aws-cost.ts';
import { measureCpu } from './measurements/cpu.ts';
import { measureGrowth } from './measurements/growth.ts';
import { measureHandlers } from './measurements/handlers.ts';
import { measureImportTimes } from './measurements/import-time.ts';
import { measureIsolation } from './measurements/isolation.ts';
import { measureLargeFlowJson } from './measurements/large-flow-json.ts';
import { measureMemory } from './measurements/memory.ts';
import {
  measureBatchOfTen,
  measureLatency,
  measureThousandUpdates,
  measureThroughput,
} from './measurements/notifications.ts';
import { measureBundleSizes, measurePageSizes } from './measurements/sizes.ts';
import { measureStartUp } from './measurements/start-up.ts';
import { measureTests } from './measurements/tests.ts';
import { type Figure, failed, isKept, select, table, writeReadme } from './report.ts';

type Measure = (build: Build) => Figure[] | Promise<Figure[]>;

/** The measurements by the names that `--only` takes, in the order of the table. */
const measurements: Readonly<Record<string, Measure>> = {
  'bundle-size': measureBundleSizes,
  'page-size': measurePageSizes,
  'import-time': measureImportTimes,
  handlers: measureHandlers,
  'start-up': measureStartUp,
  'large-flow-json': measureLargeFlowJson,
  throughput: measureThroughput,
  latency: measureLatency,
  isolation: measureIsolation,
  'batch-of-ten': measureBatchOfTen,
  'thousand-updates': measureThousandUpdates,
  'aws-cost': measureAwsCost,
  cpu: measureCpu,
  memory: measureMemory,
  growth: (build) => measureGrowth(build, values.deliveries === undefined ? undefined : Number(values.deliveries)),
  tests: measureTests,
};

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
    deliveries: { type: 'string' },
  },
});
if (values.write && (values.only ?? values.deliveries) !== undefined) {
  throw new Error('--write needs all figures, so it excludes --only and --deliveries');
}
const selected = select(measurements, values.only);

const folder = await mkdtemp(join(tmpdir(), 'bench-'));
try {
  const figures = await measureAll(selected, await buildInto(folder));
  const text = table(figures);
  console.log(text);
  if (values.write) writeReadme(text);
  if (!figures.every(isKept)) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Measures one after the other, because the measurements share the machine. One that fails leaves the others alone. */
async function measureAll(measures: readonly [string, Measure][], build: Build): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, measure] of measures) {
    try {
      figures.push(...(await measure(build)));
    } catch (error) {
      console.error(error);
      figures.push(failed(name, error));
    }
  }
  return figures;
}
