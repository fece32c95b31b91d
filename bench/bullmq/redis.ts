import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '#local/aws/base/free-port.ts';

export interface Redis {
  port: number;
  close(): Promise<void>;
}

/** The program of a Redis or Valkey that is installed. */
export function findRedis(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return ['redis-server', 'valkey-server']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => existsSync(file));
}

/** Starts Redis with an append-only file that is written to disk each second, its usual setting for what must last. */
export async function startRedis(program: string): Promise<Redis> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-redis-'));
  const port = await freePort();
  const settings = { bind: '127.0.0.1', port: String(port), dir: folder, appendonly: 'yes', save: '' };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const redis = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(redis, 'exit');
  const close = async () => {
    redis.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  for await (const line of createInterface(redis.stdout)) {
    if (!line.includes('eady to accept connections')) continue;
    redis.stdout.resume();
    return { port, close };
  }
  await close();
  throw new Error('Redis did not start');
}
