import type { Build } from '../build.ts';
import type { Figure } from '../report/report.ts';
import { median } from '../report/statistics.ts';
import { warmUp, withPipeline } from '../world/pipeline.ts';

const rounds = 2;

/** Measures the largest request that the upstream sends. */
export async function measureThousandUpdates(build: Build): Promise<Figure[]> {
  return withPipeline(build, {}, async (pipeline) => {
    const destinations = await pipeline.createNumbers(['/a']);
    await warmUp(pipeline, destinations);
    const [accepted, delivered]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      const load = { destinations, posts: 1, messagesAPost: 1_000, pace: { atOnce: 1 } };
      const { acceptedAfter, milliseconds } = await pipeline.outside.send(load);
      accepted.push(acceptedAfter);
      delivered.push(milliseconds);
    }
    return [
      {
        what: '1,000 updates in one request, until all are written',
        value: median(accepted) / 1000,
        unit: 's',
        budget: 1.5,
      },
      { what: '1,000 updates in one request, until all are delivered', value: median(delivered) / 1000, unit: 's' },
    ];
  });
}
