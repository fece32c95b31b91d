import { existsSync, statfsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { startWorld, type World, type WorldOptions } from '#local/world.ts';
import { servicesOfMoto } from '#support/aws/moto-services.ts';
import { worldDefaults } from '#support/worlds/world-defaults.ts';

export interface TestWorld extends World {
  /** Everything that the functions have logged. */
  logs: string[];
  /** The failures of the gateway, the event sources and the schedules. */
  errors: Error[];
  /** The folder of its data, on which a test can start another world. */
  dataDir: string;
}

/**
 * A folder for the data of a world, in memory if Linux offers enough of it (containers often have 64 MB). On a disk,
 * each write of the table would have to wait.
 */
export function newDataDir(): Promise<string> {
  return mkdtemp(join(isRoomy('/dev/shm') ? '/dev/shm' : tmpdir(), 'world-'));
}

function isRoomy(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 2 * 1024 ** 3;
}

/** The local world on free ports, with the functions and the template that the test run built. */
export async function startTestWorld(options: Partial<WorldOptions> = {}): Promise<TestWorld> {
  const dataDir = options.dataDir ?? (await newDataDir());
  const logs: string[] = [];
  const errors: Error[] = [];
  const world = await startWorld({
    ...worldDefaults,
    templateFile: join(inject('assemblyDirectory'), 'messaging-dev.template.json'),
    onLog: (functionName, line) => logs.push(`${functionName} ${line}`),
    onError: (error) => errors.push(error),
    dynamoDbUrl: process.env.AWS_ENDPOINT_URL_DYNAMODB,
    startServices: servicesOfMoto(process.env.MOTO_SERVER),
    ...options,
    dataDir,
  });
  return {
    ...world,
    logs,
    errors,
    dataDir,
    async close() {
      await world.close();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}
