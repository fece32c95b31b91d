/**
 * `npm run bench` measures everything that has a budget and prints it; `--write` also writes it into bench/README.md.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureAwsCost } from './aws-cost.ts';
import { measureBatchOfTen } from './batch-of-ten.ts';
import { type Build, buildInto } from './build.ts';
import { measureBundleSizes } from './bundle-size.ts';
import { measureColdStart } from './cold-start.ts';
import { measureDeadTarget } from './dead-target.ts';
import { measureDrain } from './drain.ts';
import { measureHandlers } from './handlers.ts';
import { measureImportTimes } from './import-time.ts';
import { measureLatency } from './latency.ts';
import { measureMediaDownload } from './media-download.ts';
import { type Figure, isKept, table, writeReadme } from './report.ts';
import { measureRequests } from './requests.ts';
import { measureStartUp } from './start-up.ts';
import { measureThousandUpdates } from './thousand-updates.ts';
import { measureThroughput } from './throughput.ts';

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });

const folder = await mkdtemp(join(tmpdir(), 'bench-'));
try {
  const figures = await measureAll(await buildInto(folder));
  const text = table(figures);
  console.log(text);
  if (values.write) writeReadme('figures', text);
  if (!figures.every(isKept)) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Runs the measurements one after the other, because they share the machine. */
async function measureAll(build: Build): Promise<Figure[]> {
  return [
    ...measureBundleSizes(build),
    ...(await measureImportTimes(build)),
    ...(await measureHandlers(build)),
    await measureStartUp(),
    await measureColdStart(build),
    ...(await measureRequests(build)),
    ...(await measureMediaDownload(build)),
    ...(await measureThroughput(build)),
    ...(await measureLatency(build)),
    ...(await measureDeadTarget(build)),
    ...(await measureDrain(build)),
    ...(await measureBatchOfTen(build)),
    ...(await measureThousandUpdates(build)),
    ...(await measureAwsCost(build)),
  ];
}
