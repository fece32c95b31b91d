import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { startWorld, type World, type WorldOptions } from '#local/world.ts';
import { worldDefaults } from '#support/world-defaults.ts';

export interface TestWorld extends World {
  /** Everything that the functions have logged. */
  logs: string[];
  /** What the gateway, the event sources and the schedules could not do. */
  errors: Error[];
  /** Where it keeps its data, to start another one on it. */
  dataDir: string;
}

/** The local world on free ports, with the functions and the template that the test run built. */
export async function startTestWorld(options: Partial<WorldOptions> = {}): Promise<TestWorld> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'world-')));
  const logs: string[] = [];
  const errors: Error[] = [];
  const world = await startWorld({
    ...worldDefaults,
    templateFile: join(inject('assemblyDirectory'), 'messaging-dev.template.json'),
    onLog: (functionName, line) => logs.push(`${functionName} ${line}`),
    onError: (error) => errors.push(error),
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
