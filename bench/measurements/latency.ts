import type { Build } from '../build.ts';
import type { Figure } from '../report/report.ts';
import { median, quantile } from '../report/statistics.ts';
import { warmUp, withPipeline } from '../world/pipeline.ts';

const rounds = 2;
const perSecond = 100;
const load = { posts: 500, messagesAPost: 1, pace: { perSecond } };

/** Measures the time from upstream to receiver at a steady rate. */
export async function measureLatency(build: Build): Promise<Figure[]> {
  return withPipeline(build, {}, async (pipeline) => {
    const destinations = await pipeline.createNumbers(['/a', '/b', '/c', '/d', '/e']);
    await warmUp(pipeline, destinations);
    // Each process of a function has then served some hundred.
    await pipeline.outside.send({ ...load, destinations });
    const latencies: number[] = [];
    for (let round = 0; round < rounds; round++) {
      latencies.push(...(await pipeline.outside.send({ ...load, destinations })).latencies);
    }
    const what = `${perSecond} a second, upstream to receiver`;
    return [
      { what: `${what}, p50`, value: median(latencies), unit: 'ms' },
      { what: `${what}, p99`, value: quantile(latencies, 0.99), unit: 'ms', budget: 150 },
    ];
  });
}
