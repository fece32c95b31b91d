import type { Build } from '../build.ts';
import type { Figure } from '../report/report.ts';
import { median } from '../report/statistics.ts';
import { withPipeline } from '../world/pipeline.ts';

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
    return [
      {
        what: 'A batch of ten, receivers at 200 ms',
        value: median(times.slice(warmUpBatches)),
        unit: 'ms',
        budget: 300,
      },
    ];
  });
}
