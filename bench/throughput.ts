import type { Build } from './build.ts';
import { measureMemory } from './memory.ts';
import { warmUp, withPipeline } from './pipeline.ts';
import type { Figure } from './report.ts';
import { median } from './statistics.ts';

const rounds = 2;
const atOnce = 8;
const messages = 500;

/**
 * Measures the pipeline's highest rate of notifications, and for comparison that of a bare loop of the same signed
 * POSTs.
 */
export async function measureThroughput(build: Build): Promise<Figure[]> {
  return withPipeline(build, {}, async (pipeline) => {
    const { outside, createNumbers } = pipeline;
    const numbers = await createNumbers(['/a', '/b', '/c', '/d', '/e']);
    await warmUp(pipeline, numbers);
    const bareLoop = numbers.map(({ receiver }) => ({ receiver }));
    const perSecond = { bare: [] as number[], single: [] as number[], ten: [] as number[] };
    const rate = ({ milliseconds }: { milliseconds: number }) => (messages * 1000) / milliseconds;
    for (let round = 0; round < rounds; round++) {
      const load = { posts: messages, messagesAPost: 1, pace: { atOnce } };
      perSecond.bare.push(rate(await outside.send({ ...load, destinations: bareLoop })));
      perSecond.single.push(rate(await outside.send({ ...load, destinations: numbers })));
      const inTens = { ...load, posts: messages / 10, messagesAPost: 10 };
      perSecond.ten.push(rate(await outside.send({ ...inTens, destinations: numbers })));
    }
    const bare = median(perSecond.bare);
    return [
      { what: 'Throughput of a bare loop of signed POSTs', value: bare, unit: 'a second' },
      { what: 'Throughput, one notification a request', value: median(perSecond.single), unit: 'a second' },
      { what: 'Throughput, ten notifications a request', value: median(perSecond.ten), unit: 'a second' },
      { what: '…against the bare loop', value: median(perSecond.ten) / bare, unit: '×' },
      ...(await measureMemory()),
    ];
  });
}
