import type { Build } from '../build.ts';
import { type Figure, median, quantile } from '../report.ts';
import type { Arrivals } from '../world/outside-worker.ts';
import { warmUp, withPipeline } from '../world/pipeline.ts';

const rounds = 2;
const fivePaths = ['/a', '/b', '/c', '/d', '/e'];

const pace = { atOnce: 8 };
const loads = [
  { name: 'singly', load: { posts: 1_000, messagesAPost: 1, pace }, atLeast: 100 },
  { name: 'in tens', load: { posts: 200, messagesAPost: 10, pace }, atLeast: 250 },
];

/** Measures the pipeline's highest rate of notifications. */
export async function measureThroughput(build: Build): Promise<Figure[]> {
  return withPipeline(build, {}, async (pipeline) => {
    const destinations = await pipeline.createNumbers(fivePaths);
    await warmUp(pipeline, destinations);
    const perSecond = loads.map((): number[] => []);
    for (let round = 0; round < rounds; round++) {
      for (const [index, { load }] of loads.entries()) {
        perSecond[index]?.push(rateOf(await pipeline.outside.send({ ...load, destinations })));
      }
    }
    return loads.map(({ name, atLeast }, index) => ({
      what: `Throughput of notifications ${name}`,
      value: median(perSecond[index] ?? []),
      unit: 'a second',
      atLeast,
    }));
  });
}

/** Messages per second, from the first sending to the last arrival. */
const rateOf = ({ latencies, milliseconds }: Arrivals): number => (latencies.length * 1000) / milliseconds;

const eventsPerSecond = 60;

/** Measures the time from upstream to receiver at a steady rate, one event per request. */
export async function measureLatency(build: Build): Promise<Figure[]> {
  const load = { posts: 500, messagesAPost: 1, pace: { perSecond: eventsPerSecond } };
  return withPipeline(build, {}, async (pipeline) => {
    const destinations = await pipeline.createNumbers(fivePaths);
    await warmUp(pipeline, destinations);
    // Each process of a function has then served some hundred.
    await pipeline.outside.send({ ...load, destinations });
    const latencies: number[] = [];
    for (let round = 0; round < rounds; round++) {
      latencies.push(...(await pipeline.outside.send({ ...load, destinations })).latencies);
    }
    const what = `${eventsPerSecond} a second, upstream to receiver`;
    return [{ what: `${what}, p99`, value: quantile(latencies, 0.99), unit: 'ms', budget: 150 }];
  });
}

const warmUpBatches = 20;
const batches = 10;

/** Measures runs of `deliver-notifications` with ten notifications whose receivers take 200 ms each. */
export async function measureBatchOfTen(build: Build): Promise<Figure[]> {
  let onRun = (_: number) => {};
  const onAwsCall = ({ resource }: { resource: string }, milliseconds?: number) => {
    if (resource === 'DeliverNotifications' && milliseconds !== undefined) onRun(milliseconds);
  };
  // What is sent together is received together from one server only.
  return withPipeline(build, { onAwsCall, queueServers: 1 }, async (pipeline) => {
    const destinations = await pipeline.createNumbers(['/slow']);
    const times: number[] = [];
    while (times.length < warmUpBatches + batches) {
      const { promise: run, resolve } = Promise.withResolvers<number>();
      onRun = resolve;
      await pipeline.outside.send({ destinations, posts: 1, messagesAPost: 10, pace: { atOnce: 1 } });
      times.push(await run);
    }
    const value = median(times.slice(warmUpBatches));
    return [{ what: 'A batch of ten, receivers at 200 ms', value, unit: 'ms', budget: 300 }];
  });
}

/** Measures the largest request that the upstream sends. */
export async function measureThousandUpdates(build: Build): Promise<Figure[]> {
  return withPipeline(build, {}, async (pipeline) => {
    const destinations = await pipeline.createNumbers(['/a']);
    await warmUp(pipeline, destinations);
    const accepted: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const load = { destinations, posts: 1, messagesAPost: 1_000, pace: { atOnce: 1 } };
      accepted.push((await pipeline.outside.send(load)).acceptedAfter);
    }
    const what = '1,000 updates in one request, until all are written';
    return [{ what, value: median(accepted) / 1000, unit: 's', budget: 1.5 }];
  });
}
