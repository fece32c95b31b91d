import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, median } from '../report.ts';
import { startLocalWorld } from '../world/local-world.ts';

const runs = 5;

/** Measures the time from `npm start` to its line "ready", in an empty data folder and then in the same one again. */
export async function measureStartUp(): Promise<Figure[]> {
  const [first, again]: [number[], number[]] = [[], []];
  for (let run = 0; run < runs; run++) {
    const dataDir = await mkdtemp(join(tmpdir(), 'bench-start-'));
    try {
      first.push(await startOnce(dataDir));
      again.push(await startOnce(dataDir));
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  }
  return [
    { what: '`npm start` to ready, the first time', value: median(first) / 1000, unit: 's', budget: 5 },
    { what: '`npm start` to ready, after that', value: median(again) / 1000, unit: 's', budget: 1 },
  ];
}

async function startOnce(dataDir: string): Promise<number> {
  const world = await startLocalWorld(dataDir);
  await world.close();
  return world.readyAfterMs;
}
