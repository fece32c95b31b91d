/**
 * Simulates how large the batches of `deliver-notifications` are and writes it down for the costs: `npm run
 * batch-sizes`. All pollers wait from the start, so these are the smallest batches that the model makes, and the costs
 * the highest.
 */
import { writeFileSync } from 'node:fs';
import { defaultLoad } from '#test/simulation/load/load-options.ts';
import { runLoad } from '#test/simulation/load/run-load.ts';

/** Events a second, and how many are played. */
const plays = [
  { perSecond: 1, events: 500 },
  { perSecond: 10, events: 1_000 },
  { perSecond: 100, events: 2_000 },
  { perSecond: 1_000, events: 6_000 },
] as const;

export interface BatchSizes {
  perSecond: number;
  /** Messages in a batch, on average: for events that come one at a time, and for ten in a request. */
  singly: number;
  inTens: number;
}

export type Play = (typeof plays)[number];

export async function simulateBatchSizes(
  { perSecond, events }: Play,
  servers = defaultLoad.servers,
): Promise<BatchSizes> {
  const averageBatch = async (perRequest: number) => {
    const load = { ...defaultLoad, notifications: events, rate: perSecond, perRequest, servers };
    return Number((await runLoad(load)).averageBatch.toFixed(2));
  };
  return { perSecond, singly: await averageBatch(1), inTens: await averageBatch(10) };
}

/** The first, which takes the least time to play. */
export const [shortestPlay] = plays;

if (import.meta.main) {
  const sizes: BatchSizes[] = [];
  for (const play of plays) sizes.push(await simulateBatchSizes(play));
  writeFileSync(new URL('batch-sizes.json', import.meta.url), `${JSON.stringify(sizes, null, 2)}\n`);
}
