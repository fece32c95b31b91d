import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorld, type World, type WorldOptions } from '#local/world.ts';
import { worldDefaults } from '#support/worlds/world-defaults.ts';
import type { Build } from '../build.ts';

export type BenchWorldOptions = Pick<WorldOptions, 'dynamoDbUrl' | 'onAwsCall' | 'queueServers' | 'sweepSeconds'> &
  Partial<Pick<WorldOptions, 'onLog'>>;

/** Runs the work with the whole service in an empty data folder, and removes the folder afterwards. */
export async function withWorld<Result>(
  { templateFile }: Build,
  options: BenchWorldOptions,
  work: (world: World) => Promise<Result>,
): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-world-'));
  const world = await startWorld({
    ...worldDefaults,
    templateFile,
    dataDir,
    onLog: (functionName, line) => {
      if (line.includes('"level":"ERROR"')) console.error(functionName, line);
    },
    onError: (error) => {
      throw error;
    },
    ...options,
  });
  try {
    return await work(world);
  } finally {
    await world.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
