import type { Build } from '../build.ts';
import type { Figure } from '../report/report.ts';
import { median } from '../report/statistics.ts';
import type { Arrivals } from '../world/outside-worker.ts';
import { warmUp, withPipeline } from '../world/pipeline.ts';

const rounds = 2;
const pace = { atOnce: 8 };

const modes = [
  { name: 'singly', load: { posts: 1_000, messagesAPost: 1, pace }, atLeast: 150 },
  { name: 'in tens', load: { posts: 200, messagesAPost: 10, pace }, atLeast: 450 },
];

/** Measures the pipeline's highest rate of notifications. */
export async function measureThroughput(build: Build): Promise<Figure[]> {
  return withPipeline(build, {}, async (pipeline) => {
    const destinations = await pipeline.createNumbers(['/a', '/b', '/c', '/d', '/e']);
    await warmUp(pipeline, destinations);
    const perSecond = modes.map((): number[] => []);
    for (let round = 0; round < rounds; round++) {
      for (const [index, { load }] of modes.entries()) {
        perSecond[index]?.push(rateOf(await pipeline.outside.send({ ...load, destinations })));
      }
    }
    return modes.map(({ name, atLeast }, index) => ({
      what: `Throughput of notifications ${name}`,
      value: median(perSecond[index] ?? []),
      unit: 'a second',
      atLeast,
    }));
  });
}

/** Messages per second, from the first sending to the last arrival. */
const rateOf = ({ latencies, milliseconds }: Arrivals): number => (latencies.length * 1000) / milliseconds;
