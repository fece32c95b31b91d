import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { WorldDescription } from '#local/world-description.ts';

/** The local world in a process of its own, as `npm start` runs it. */
export interface LocalWorld {
  pid: number;
  description: WorldDescription;
  readyAfterMs: number;
  close(): Promise<void>;
}

const script = join(import.meta.dirname, '../../messaging.js');

/** Starts the process behind `npm start` on free ports, with these variables. */
export async function startLocalWorld(
  dataDir: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<LocalWorld> {
  const start = performance.now();
  const world = spawn(process.execPath, [script, 'start'], {
    env: {
      ...process.env,
      // The measurement of handlers sets those of the functions, and this one has another meaning here.
      PUBLIC_URL: undefined,
      ...{ LOCAL_DATA_DIR: dataDir, PORT: '0', UPSTREAM_PORT: '0', CONSOLE_PORT: '0', ...variables },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(world, 'exit');
  const close = async () => {
    world.kill('SIGTERM');
    await exited;
  };
  try {
    for await (const line of createInterface(world.stdout)) {
      if (!line.startsWith('ready ')) continue;
      const readyAfterMs = performance.now() - start;
      // What the functions log is read and dropped, because a full pipe would block the world.
      world.stdout.resume();
      const description = JSON.parse(await readFile(join(dataDir, 'world.json'), 'utf8'));
      return { pid: Number(world.pid), description, readyAfterMs, close };
    }
    throw new Error('The local world did not start');
  } catch (error) {
    await close();
    throw error;
  }
}
