import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { WorldDescription } from '#local/world-description.ts';
import { copyBuild } from '#support/worlds/copied-build.ts';

const root = join(import.meta.dirname, '../..');

export interface StartedProcess {
  readonly process: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  /** Resolves when it has ended and nothing more comes from it. */
  readonly exited: Promise<unknown>;
}

/** The ports of a world, which picks free ones for 0. */
export const freePorts = { PORT: '0', UPSTREAM_PORT: '0', CONSOLE_PORT: '0' };

/** A command for a world, with its data in the folder. */
export function startProgram(dataDir: string, command: string, ...args: string[]): StartedProcess {
  return startProgramAt(freePorts, dataDir, command, ...args);
}

/** A command for a world that listens at these ports. */
export function startProgramAt(
  ports: typeof freePorts,
  dataDir: string,
  command: string,
  ...args: string[]
): StartedProcess {
  const child = spawn(process.execPath, [join(root, 'messaging.js'), command, ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...ports,
      LOCAL_DATA_DIR: dataDir,
      DELIVERY_RETRY_SCHEDULE: '600',
      AWS_ENDPOINT_URL_DYNAMODB: process.env.AWS_ENDPOINT_URL_DYNAMODB,
      JAVA_HOME: process.env.JAVA_HOME,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk) => {
      output[name] += chunk;
    });
  }
  return { process: child, output, exited: once(child, 'close') };
}

export const until = (check: () => unknown) => vi.waitFor(check, { timeout: 300_000, interval: 50 });

/** A world as `npm start` starts it, from the build of the tests, on a folder of its own. */
export async function startWorldProcess() {
  const dataDir = await mkdtemp(join(tmpdir(), 'restarted-world-'));
  await copyBuild(join(dataDir, 'build'));
  const run = startProgram(dataDir, 'start');
  /** How often a world has become ready. */
  const starts = () => run.output.stdout.match(/^ready /gm)?.length ?? 0;
  await until(() => expect([starts(), run.process.exitCode, run.output.stderr]).toEqual([1, null, '']));
  return {
    ...run,
    dataDir,
    starts,
    world: JSON.parse(readFileSync(join(dataDir, 'world.json'), 'utf8')) as WorldDescription & { console_url: string },
    async close() {
      run.process.kill('SIGTERM');
      await run.exited;
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

export type WorldProcess = Awaited<ReturnType<typeof startWorldProcess>>;
