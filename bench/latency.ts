import type { Build } from './build.ts';
import { warmUp, withPipeline } from './pipeline.ts';
import type { Figure } from './report.ts';
import { median, quantile } from './statistics.ts';

const perSecond = 100;
const seconds = 3;
const rounds = 2;

/**
 * Measures the time from upstream to receiver at a steady rate, and for comparison that of a bare loop of the same
 * signed POSTs.
 */
export async function measureLatency(build: Build): Promise<Figure[]> {
  return withPipeline(build, {}, async (pipeline) => {
    const { outside, createNumbers } = pipeline;
    const numbers = await createNumbers(['/a', '/b', '/c', '/d', '/e']);
    await warmUp(pipeline, numbers);
    const load = { posts: perSecond * seconds, messagesAPost: 1, pace: { perSecond } };
    const bareLoop = numbers.map(({ receiver }) => ({ receiver }));
    const [service, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      bare.push(...(await outside.send({ ...load, destinations: bareLoop })).latencies);
      service.push(...(await outside.send({ ...load, destinations: numbers })).latencies);
    }
    return [
      { what: `Upstream to receiver, ${perSecond} a second, p50`, value: median(service), unit: 'ms' },
      { what: `Upstream to receiver, ${perSecond} a second, p99`, value: quantile(service, 0.99), unit: 'ms' },
      { what: `A bare loop's signed POST to receiver, ${perSecond} a second, p50`, value: median(bare), unit: 'ms' },
      {
        what: `A bare loop's signed POST to receiver, ${perSecond} a second, p99`,
        value: quantile(bare, 0.99),
        unit: 'ms',
      },
    ];
  });
}
