import { setTimeout as delay } from 'node:timers/promises';
import { isOpen } from '#shared/webhooks/breaker.ts';
import { breakerStore } from '#shared/webhooks/breaker-store.ts';
import type { Build } from '../build.ts';
import { type Figure, median, quantile } from '../report.ts';
import { type BenchNumber, type Pipeline, warmUp, withPipeline } from '../world/pipeline.ts';

/** Well below the local world's capacity: an ever-growing queue would hide the effect of the fifth number. */
const perSecond = 40;
/** The number of measured turns with the fifth number and without it, after one of each to warm up. */
const turns = 6;
const turnSeconds = 15;
const healthy = [0, 1, 2, 3];

const pollMs = 100;

/** The stack's limit for one attempt. */
const attemptTimeoutMs = 10_000;

/** By then, a slow receiver has received everything. */
const slowDrainMs = 8_000;

/** Above this p99 with all of them healthy, the machine is overloaded: a comparison would mean nothing. */
const overloadedMs = 150;

const prefix = `Healthy numbers, ${perSecond} a second`;

/** Measures four healthy numbers beside a fifth whose receiver never responds, and beside one that is slow. */
export async function measureIsolation(build: Build): Promise<Figure[]> {
  const dead = await measureBeside(build, '/dead', {
    ready: (pipeline, { id }) => untilOpen(pipeline, id),
    pauseMs: 0,
  });
  const slow = await measureBeside(build, '/late', { ready: async () => {}, pauseMs: slowDrainMs });
  const ratio = dead.without > overloadedMs ? Number.NaN : dead.beside / dead.without;
  return [
    { what: `${prefix}, all healthy, p99`, value: dead.without, unit: 'ms' },
    { what: `${prefix}, one in five dead, p99`, value: dead.beside, unit: 'ms' },
    { what: `${prefix}, one in five dead against all healthy, p99`, value: ratio, unit: '×', budget: 1.2 },
    { what: `${prefix}, one in five slow, p99`, value: slow.beside, unit: 'ms', budget: 300 },
  ];
}

interface Fifth {
  /** Waits until the fifth number is in the state to measure beside. */
  ready: (pipeline: Pipeline, fifth: BenchNumber) => Promise<void>;
  /** A pause after each turn beside it. */
  pauseMs: number;
}

/** The p99 without and beside the fifth number, in turns. A median of turns ignores one that the machine interrupted. */
function measureBeside(build: Build, path: string, { ready, pauseMs }: Fifth) {
  return withPipeline(build, {}, async (pipeline) => {
    const fiveHealthy = await pipeline.createNumbers(['/a', '/b', '/c', '/d', '/e']);
    await warmUp(pipeline, fiveHealthy);
    const fifth = await pipeline.createNumbers([path]);
    const load = { posts: perSecond * turnSeconds, messagesAPost: 1, pace: { perSecond }, measured: healthy };
    const turn = async (destinations: readonly BenchNumber[]) => {
      const { latencies } = await pipeline.outside.send({ ...load, destinations });
      return quantile(latencies, 0.99);
    };
    const fourAndFifth = [...fiveHealthy.slice(0, -1), ...fifth];
    await turn(fiveHealthy);
    await turn(fourAndFifth);
    for (const number of fifth) await ready(pipeline, number);
    const [without, beside]: [number[], number[]] = [[], []];
    for (let count = 0; count < turns; count++) {
      await delay(pauseMs);
      without.push(await turn(fiveHealthy));
      beside.push(await turn(fourAndFifth));
    }
    return { without: median(without), beside: median(beside) };
  });
}

/** Waits until the circuit breaker has opened and all attempts that began before have ended. */
async function untilOpen({ world }: Pipeline, number: string): Promise<void> {
  const isNoticed = async () => isOpen((await breakerStore(world.table).read(number, 'webhook'))?.breaker);
  while (!(await isNoticed())) await delay(pollMs);
  await delay(attemptTimeoutMs);
}
