import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Figure } from './report.ts';
import { elapsed, median } from './statistics.ts';

const runs = 5;

/** Measures the time from `npm start`, without an earlier build, to its line "ready". */
export async function measureStartUp(): Promise<Figure> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push(await startOnce());
  return { what: '`npm start` to ready', value: median(times) / 1000, unit: 's', budget: 5 };
}

async function startOnce(): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-start-'));
  const start = spawn(process.execPath, [join(import.meta.dirname, '../local/start.ts')], {
    env: { ...process.env, LOCAL_DATA_DIR: dataDir, PORT: '0', UPSTREAM_PORT: '0', CONSOLE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(start, 'exit');
  try {
    return await elapsed(async () => {
      for await (const line of createInterface(start.stdout)) if (line.startsWith('ready ')) return;
      throw new Error('The local world did not start');
    });
  } finally {
    start.stdout.resume();
    start.kill('SIGTERM');
    await exited;
    await rm(dataDir, { recursive: true, force: true });
  }
}
