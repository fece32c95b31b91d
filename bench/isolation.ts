import { setTimeout as delay } from 'node:timers/promises';
import { targetStore } from '#shared/adapters/dynamodb/targets.ts';
import { isOpen } from '#shared/domain/deliveries/breaker.ts';
import type { Build } from './build.ts';
import { type BenchNumber, type Pipeline, warmUp, withPipeline } from './pipeline.ts';
import type { Figure } from './report.ts';
import { median, quantile } from './statistics.ts';

/** Well below the local world's capacity: an ever-growing queue would hide the effect of the fifth number. */
const perSecond = 40;
const phaseSeconds = 4;
const rounds = 3;
const healthy = [0, 1, 2, 3];

const pollMs = 100;

/** The stack's limit for one attempt. */
const attemptTimeoutMs = 10_000;

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
    const [alone, beside]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      alone.push(...(await latencies(fiveHealthy)));
      beside.push(...(await latencies(fourAnd(dead))));
    }
    return [
      ...comparison('one in five dead', alone, beside),
      { what: `${prefix}, until the breaker of the dying one opens, p99`, value: quantile(dying, 0.99), unit: 'ms' },
    ];
  });
}

function besideSlow(build: Build): Promise<Figure[]> {
  return withPipeline(build, {}, async (pipeline) => {
    const { fiveHealthy, latencies, fourAnd } = await prepare(pipeline);
    const slow = await pipeline.createNumbers(['/late']);
    const [alone, beside]: [number[], number[]] = [[], []];
    // Not in turns: what the slow receiver has yet to take would go on beside the healthy ones alone.
    for (let round = 0; round < rounds; round++) alone.push(...(await latencies(fiveHealthy)));
    for (let round = 0; round < rounds; round++) beside.push(...(await latencies(fourAnd(slow))));
    return comparison('one in five slow', alone, beside);
  });
}

async function prepare(pipeline: Pipeline) {
  const fiveHealthy = await pipeline.createNumbers(['/a', '/b', '/c', '/d', '/e']);
  await warmUp(pipeline, fiveHealthy);
  const load = { posts: perSecond * phaseSeconds, messagesAPost: 1, pace: { perSecond }, measured: healthy };
  const latencies: Latencies = async (destinations) =>
    (await pipeline.outside.send({ ...load, destinations })).latencies;
  const fourAnd = (fifth: readonly BenchNumber[]) => [...fiveHealthy.slice(0, -1), ...fifth];
  return { fiveHealthy, latencies, fourAnd };
}

function comparison(what: string, alone: readonly number[], beside: readonly number[]): Figure[] {
  const p99 = { alone: quantile(alone, 0.99), beside: quantile(beside, 0.99) };
  const ratio = p99.alone > overloadedMs ? Number.NaN : p99.beside / p99.alone;
  return [
    { what: `${prefix}, without ${what}, p50`, value: median(alone), unit: 'ms' },
    { what: `${prefix}, with ${what}, p50`, value: median(beside), unit: 'ms' },
    { what: `${prefix}, without ${what}, p99`, value: p99.alone, unit: 'ms' },
    { what: `${prefix}, with ${what}, p99`, value: p99.beside, unit: 'ms' },
    { what: `${prefix}, with ${what} against without, p99`, value: ratio, unit: '×', budget: 1.2 },
  ];
}

/** Waits until the circuit breaker has opened and all attempts that began before have ended. */
async function untilOpen({ world }: Pipeline, number: string): Promise<void> {
  const isNoticed = async () => isOpen((await targetStore(world.table).read(number))?.breakers.webhook);
  while (!(await isNoticed())) await delay(pollMs);
  await delay(attemptTimeoutMs);
}
