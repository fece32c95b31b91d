import type { Build } from './build.ts';
import { emptyHandlerUrl, withEmptyHandler } from './empty-handler.ts';
import { inTens, singly, throughputOf } from './loads.ts';
import { warmUp, withPipeline } from './pipeline.ts';
import type { Figure } from './report.ts';
import { median } from './statistics.ts';

const rounds = 2;

/**
 * Measures the pipeline's highest rate of notifications. For comparison, an empty function takes the same requests, and
 * a bare loop makes the same signed POSTs to the receivers.
 */
export async function measureThroughput(build: Build): Promise<Figure[]> {
  return withPipeline(await withEmptyHandler(build), {}, async (pipeline) => {
    const { outside, createNumbers, world } = pipeline;
    const numbers = await createNumbers(['/a', '/b', '/c', '/d', '/e']);
    await warmUp(pipeline, numbers);
    const empty = [{ empty: emptyHandlerUrl(world) }];
    await outside.send({ ...singly, posts: 100, destinations: empty });
    const bareLoop = numbers.map(({ receiver }) => ({ receiver }));
    const perSecond = {
      bare: [] as number[],
      empty: [] as number[],
      singly: [] as number[],
      inTens: [] as number[],
    };
    for (let round = 0; round < rounds; round++) {
      perSecond.bare.push(throughputOf(await outside.send({ ...singly, destinations: bareLoop })));
      perSecond.empty.push(throughputOf(await outside.send({ ...singly, destinations: empty })));
      perSecond.singly.push(throughputOf(await outside.send({ ...singly, destinations: numbers })));
      perSecond.inTens.push(throughputOf(await outside.send({ ...inTens, destinations: numbers })));
    }
    const figure = (what: string, values: readonly number[], atLeast?: number): Figure => ({
      what: `Throughput ${what}`,
      value: median(values),
      unit: 'a second',
      ...(atLeast !== undefined && { atLeast }),
    });
    return [
      figure('of a bare loop of signed POSTs', perSecond.bare),
      figure('of an empty function behind the gateway, requests', perSecond.empty),
      figure('of notifications singly', perSecond.singly, 250),
      figure('of notifications in tens', perSecond.inTens, 1_000),
    ];
  });
}
