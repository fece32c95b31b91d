import { setTimeout as delay } from 'node:timers/promises';
import { breakerStore } from '#shared/adapters/dynamodb/subscribers/breakers.ts';
import { isOpen } from '#shared/domain/subscribers/breaker.ts';
import type { Build } from '../build.ts';
import type { Figure } from '../report/report.ts';
import { median, quantile } from '../report/statistics.ts';
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

/**
 * By then, a slow receiver has received everything: after a window, a put-back or two, and two seconds for each
 * notification.
 */
const slowDrainMs = 8_000;

/** Above this p99 with all of them healthy, the machine is overloaded: a comparison would mean nothing. */
const overloadedMs = 150;

const prefix = `Healthy numbers, ${perSecond} a second`;

type Latencies = (destinations: readonly BenchNumber[]) => Promise<number[]>;

/** Measures four healthy numbers beside a fifth whose receiver never responds, and beside one that is slow. */
export async function measureIsolation(build: Build): Promise<Figure[]> {
  return [...(await besideDead(build)), ...(await besideSlow(build))];
}

function besideDead(build: Build): Promise<Figure[]> {
  return withPipeline(build, {}, async (pipeline) => {
    const { fiveHealthy, latencies, fourAnd } = await prepare(pipeline);
    const dead = await pipeline.createNumbers(['/dead']);
    const dying = await latencies(fourAnd(dead));
    for (const { id } of dead) await untilOpen(pipeline, id);
    return [
      ...(await inTurns('one in five dead', {
        without: () => latencies(fiveHealthy),
        beside: () => latencies(fourAnd(dead)),
      })),
      { what: `${prefix}, until the breaker of the dying one opens, p99`, value: quantile(dying, 0.99), unit: 'ms' },
    ];
  });
}

function besideSlow(build: Build): Promise<Figure[]> {
  return withPipeline(build, {}, async (pipeline) => {
    const { fiveHealthy, latencies, fourAnd } = await prepare(pipeline);
    const slow = await pipeline.createNumbers(['/late']);
    const beside = async () => {
      const measured = await latencies(fourAnd(slow));
      // The slow receiver must have taken everything before the turn without it.
      await delay(slowDrainMs);
      return measured;
    };
    const first = await beside();
    return [
      ...(await inTurns('one in five slow', { without: () => latencies(fiveHealthy), beside })),
      {
        what: `${prefix}, the first ${turnSeconds} s with the slow one, p99`,
        value: quantile(first, 0.99),
        unit: 'ms',
      },
    ];
  });
}

async function prepare(pipeline: Pipeline) {
  const fiveHealthy = await pipeline.createNumbers(['/a', '/b', '/c', '/d', '/e']);
  await warmUp(pipeline, fiveHealthy);
  const load = { posts: perSecond * turnSeconds, messagesAPost: 1, pace: { perSecond }, measured: healthy };
  const latencies: Latencies = async (destinations) =>
    (await pipeline.outside.send({ ...load, destinations })).latencies;
  await latencies(fiveHealthy);
  const fourAnd = (fifth: readonly BenchNumber[]) => [...fiveHealthy.slice(0, -1), ...fifth];
  return { fiveHealthy, latencies, fourAnd };
}

type Turn = () => Promise<number[]>;

/** Measures both in turns. A median of turns ignores one that the machine interrupted. */
async function inTurns(what: string, { without, beside }: { without: Turn; beside: Turn }): Promise<Figure[]> {
  await without();
  await beside();
  const [alone, together]: [number[][], number[][]] = [[], []];
  for (let turn = 0; turn < turns; turn++) {
    alone.push(await without());
    together.push(await beside());
  }
  const p50 = { alone: ofTurns(alone, 0.5), together: ofTurns(together, 0.5) };
  const p99 = { alone: ofTurns(alone, 0.99), together: ofTurns(together, 0.99) };
  const ratio = p99.alone > overloadedMs ? Number.NaN : p99.together / p99.alone;
  return [
    { what: `${prefix}, without ${what}, p50`, value: p50.alone, unit: 'ms' },
    { what: `${prefix}, with ${what}, p50`, value: p50.together, unit: 'ms' },
    { what: `${prefix}, without ${what}, p99`, value: p99.alone, unit: 'ms' },
    { what: `${prefix}, with ${what}, p99`, value: p99.together, unit: 'ms' },
    { what: `${prefix}, with ${what} against without, p99`, value: ratio, unit: '×', budget: 1.2 },
  ];
}

const ofTurns = (latencies: readonly number[][], share: number): number =>
  median(latencies.map((ofTurn) => quantile(ofTurn, share)));

/** Waits until the circuit breaker has opened and all attempts that began before have ended. */
async function untilOpen({ world }: Pipeline, number: string): Promise<void> {
  const isNoticed = async () => isOpen(await breakerStore(world.table).read(number, 'webhook'));
  while (!(await isNoticed())) await delay(pollMs);
  await delay(attemptTimeoutMs);
}
