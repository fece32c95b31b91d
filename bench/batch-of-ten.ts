import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Build, copyBuild } from './build.ts';
import { readDefinitions } from './definitions.ts';
import { withPipeline } from './pipeline.ts';
import { putBefore } from './put-before.ts';
import type { Figure } from './report.ts';
import { median } from './statistics.ts';

const consumer = 'DeliverNotifications';
const entry = new URL('./batch-of-ten-entry.mjs', import.meta.url);
const warmUpBatches = 20;
const batches = 10;

/** By then the last run of the warm-up has ended: the first of its ten notifications counts as the arrival. */
const quietMs = 1_000;

/** Measures runs of the consumer with ten notifications whose receivers take 200 ms each. */
export async function measureBatchOfTen(build: Build): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-ten-'));
  try {
    const copy = await copyBuild(build, join(folder, 'build'));
    for (const definition of readDefinitions(copy)) {
      if (definition.name === consumer) await putBefore(definition, entry);
    }
    return await measureRuns(copy);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureRuns(build: Build): Promise<Figure[]> {
  let onRun = (_: number) => {};
  const onAwsCall = ({ resource }: { resource: string }, milliseconds?: number) => {
    if (resource === consumer && milliseconds !== undefined) onRun(milliseconds);
  };
  // With one host, what is sent together is received together.
  return withPipeline(build, { onAwsCall, queueHosts: 1 }, async (pipeline) => {
    const destinations = await pipeline.createNumbers(['/slow']);
    const load = { destinations, messagesAPost: 1, pace: { atOnce: 1 } };
    await pipeline.outside.send({ ...load, posts: warmUpBatches });
    await delay(quietMs);
    const times: number[] = [];
    while (times.length < batches) {
      const { promise: run, resolve } = Promise.withResolvers<number>();
      onRun = resolve;
      await pipeline.outside.send({ ...load, posts: 1 });
      times.push(await run);
    }
    return [{ what: 'A batch of ten, receivers at 200 ms', value: median(times), unit: 'ms', budget: 300 }];
  });
}
