import { setTimeout as delay } from 'node:timers/promises';
import type { World } from '#local/world.ts';
import { targetStore } from '#shared/adapters/dynamodb/targets.ts';
import { isOpen } from '#shared/domain/deliveries/breaker.ts';
import type { Build } from './build.ts';
import { type BenchNumber, warmUp, withPipeline } from './pipeline.ts';
import type { Figure } from './report.ts';
import { median, quantile } from './statistics.ts';

/** Well below the local world's capacity: an ever-growing queue would hide the effect of the dead target. */
const perSecond = 40;
const phaseSeconds = 2;
const rounds = 3;
const healthy = [0, 1, 2, 3];

const pollMs = 100;

/** The stack's limit for one attempt. */
const attemptTimeoutMs = 10_000;

/**
 * If half of the notifications take longer although no target is dead, the machine is overloaded and a comparison means
 * nothing.
 */
const overloadedMs = 50;

/**
 * Measures four healthy numbers, both while the receiver of a fifth accepts every request but never responds, and while
 * it is healthy.
 */
export async function measureDeadTarget(build: Build): Promise<Figure[]> {
  return withPipeline(build, {}, async (pipeline) => {
    const { world, outside, createNumbers } = pipeline;
    const living = await createNumbers(['/a', '/b', '/c', '/d', '/e']);
    const dead = await createNumbers(['/dead']);
    const oneDead = [...living.slice(0, -1), ...dead];
    await warmUp(pipeline, living);
    const load = { posts: perSecond * phaseSeconds, messagesAPost: 1, pace: { perSecond }, measured: healthy };
    const latencies = async (destinations: readonly BenchNumber[]) =>
      (await outside.send({ ...load, destinations })).latencies;

    const dying = await latencies(oneDead);
    for (const { id } of dead) await untilOpen(world, id);
    const [noneDead, withDead]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      noneDead.push(...(await latencies(living)));
      withDead.push(...(await latencies(oneDead)));
    }
    const [calm, beside] = [quantile(noneDead, 0.99), quantile(withDead, 0.99)];
    const ratio = median(noneDead) > overloadedMs ? Number.NaN : beside / calm;
    const prefix = `Healthy numbers, ${perSecond} a second`;
    return [
      { what: `${prefix}, none dead, p50`, value: median(noneDead), unit: 'ms' },
      { what: `${prefix}, one in five dead, p50`, value: median(withDead), unit: 'ms' },
      { what: `${prefix}, none dead, p99`, value: calm, unit: 'ms' },
      { what: `${prefix}, one in five dead, p99`, value: beside, unit: 'ms' },
      { what: `${prefix}, one in five dead against none, p99`, value: ratio, unit: '×', budget: 1.2 },
      { what: `${prefix}, until the breaker of the dying one opens, p99`, value: quantile(dying, 0.99), unit: 'ms' },
    ];
  });
}

/** Waits until the circuit breaker has opened and all attempts that began before have ended. */
async function untilOpen({ table }: World, number: string): Promise<void> {
  const isNoticed = async () => isOpen((await targetStore(table).read(number))?.breakers.webhook);
  while (!(await isNoticed())) await delay(pollMs);
  await delay(attemptTimeoutMs);
}
