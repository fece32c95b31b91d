import type { Build } from './build.ts';
import { warmUp, withPipeline } from './pipeline.ts';
import type { Figure } from './report.ts';
import { median } from './statistics.ts';

const batches = 10;

/** Measures one run of the consumer with ten notifications whose receivers take 200 ms each. */
export async function measureBatchOfTen(build: Build): Promise<Figure[]> {
  let runs: number[] = [];
  let onRun = () => {};
  const onAwsCall = ({ resource }: { resource: string }, milliseconds?: number) => {
    if (resource !== 'DeliverNotifications' || milliseconds === undefined) return;
    runs.push(milliseconds);
    onRun();
  };
  return withPipeline(build, { onAwsCall }, async (pipeline) => {
    const destinations = await pipeline.createNumbers(['/slow']);
    await warmUp(pipeline, destinations);
    const [times, bare]: [number[], number[]] = [[], []];
    const bareLoop = destinations.map(({ receiver }) => ({ receiver }));
    while (times.length < batches) {
      runs = [];
      const ended = new Promise<void>((resolve) => {
        onRun = resolve;
      });
      const load = { posts: 1, messagesAPost: 10, pace: { atOnce: 1 } };
      await pipeline.outside.send({ ...load, destinations });
      await ended;
      // All ten have arrived, so if there was a single run, it delivered all of them.
      const [run, ...others] = runs;
      if (run !== undefined && others.length === 0) times.push(run);
      bare.push((await pipeline.outside.send({ ...load, destinations: bareLoop })).acceptedAfter);
    }
    return [
      { what: 'A batch of ten, receivers at 200 ms', value: median(times), unit: 'ms', budget: 300 },
      { what: "A bare loop's ten signed POSTs side by side, receivers at 200 ms", value: median(bare), unit: 'ms' },
    ];
  });
}
