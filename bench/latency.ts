import type { Build } from './build.ts';
import { emptyHandlerUrl, withEmptyHandler } from './empty-handler.ts';
import { latencyLoad } from './loads.ts';
import type { Destination } from './outside-worker.ts';
import { warmUp, withPipeline } from './pipeline.ts';
import type { Figure } from './report.ts';
import { median, quantile } from './statistics.ts';

const rounds = 2;
const { perSecond } = latencyLoad.pace;

/**
 * Measures the time from upstream to receiver at a steady rate. For comparison, an empty function takes the same
 * requests, and a bare loop makes the same signed POSTs to the receivers.
 */
export async function measureLatency(build: Build): Promise<Figure[]> {
  return withPipeline(await withEmptyHandler(build), {}, async (pipeline) => {
    const { outside, createNumbers, world } = pipeline;
    const numbers = await createNumbers(['/a', '/b', '/c', '/d', '/e']);
    await warmUp(pipeline, numbers);
    const ways: { what: string; destinations: readonly Destination[]; latencies: number[]; budget?: number }[] = [
      { what: 'upstream to receiver', destinations: numbers, latencies: [], budget: 150 },
      {
        what: 'request to an empty function and its response',
        destinations: [{ empty: emptyHandlerUrl(world) }],
        latencies: [],
      },
      {
        what: "a bare loop's signed POST to receiver",
        destinations: numbers.map(({ receiver }) => ({ receiver })),
        latencies: [],
      },
    ];
    // Each process of a function has then served some hundred.
    for (const { destinations } of ways) await outside.send({ ...latencyLoad, destinations });
    for (let round = 0; round < rounds; round++) {
      for (const { destinations, latencies } of ways) {
        latencies.push(...(await outside.send({ ...latencyLoad, destinations })).latencies);
      }
    }
    return ways.flatMap(({ what, latencies, budget }): Figure[] => [
      { what: `${perSecond} a second, ${what}, p50`, value: median(latencies), unit: 'ms' },
      {
        what: `${perSecond} a second, ${what}, p99`,
        value: quantile(latencies, 0.99),
        unit: 'ms',
        ...(budget !== undefined && { budget }),
      },
    ]);
  });
}
