import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { inTens, latencyLoad, singly, throughputOf } from '../loads.ts';
import { type Outside, startOutside } from '../outside.ts';
import type { Destination } from '../outside-worker.ts';
import { type Figure, notMeasured } from '../report.ts';
import { median, quantile } from '../statistics.ts';
import { findRedis, startRedis } from './redis.ts';

const what = 'BullMQ on Redis';
const rounds = 2;
const appSecret = 'of-the-bench';
/**
 * They are no dependencies of the project: only this comparison needs them, and not all platforms' packages of theirs
 * can be locked.
 */
const packages = { bullmq: '6.7.0', ioredis: '5.11.1' };
const service = fileURLToPath(new URL('./service.mjs', import.meta.url));

/** Measures the same work on BullMQ, where this machine has Redis and the packages. */
export async function measureBullMq(): Promise<Figure[]> {
  const program = findRedis();
  if (program === undefined) return [notMeasured(what, 'no Redis found')];
  const files = findPackages();
  if (files === undefined) {
    const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
    return [notMeasured(what, `needs npm install --no-save ${wanted.join(' ')}`)];
  }
  const redis = await startRedis(program);
  const running = spawn(process.execPath, [service, String(redis.port), appSecret, ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const outside = await startOutside();
  try {
    return await measure(outside, await addressOf(running));
  } finally {
    await outside.close();
    const exited = once(running, 'exit');
    if (running.kill('SIGKILL')) await exited;
    await redis.close();
  }
}

function findPackages(): string[] | undefined {
  const { resolve } = createRequire(import.meta.url);
  try {
    return Object.keys(packages).map((name) => resolve(name));
  } catch {
    return undefined;
  }
}

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout) for await (const line of createInterface(stdout)) return line;
  throw new Error('BullMQ did not start');
}

async function measure(outside: Outside, url: string): Promise<Figure[]> {
  const destinations = ['/a', '/b', '/c', '/d', '/e'].map((path): Destination => {
    const events = `${url}/?receiver=${encodeURIComponent(outside.receiverUrl + path)}`;
    return { events, appSecret, phoneNumberId: '100000000000000' };
  });
  await outside.send({ ...singly, posts: 100, destinations });
  const rates = { singly: [] as number[], inTens: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    rates.singly.push(throughputOf(await outside.send({ ...singly, destinations })));
    rates.inTens.push(throughputOf(await outside.send({ ...inTens, destinations })));
  }
  const latencies: number[] = [];
  for (let round = 0; round < rounds; round++) {
    latencies.push(...(await outside.send({ ...latencyLoad, destinations })).latencies);
  }
  return [
    { what: `${what}: throughput singly`, value: median(rates.singly), unit: 'a second' },
    { what: `${what}: throughput in tens`, value: median(rates.inTens), unit: 'a second' },
    { what: `${what}: ${latencyLoad.pace.perSecond} a second, p50`, value: median(latencies), unit: 'ms' },
    { what: `${what}: ${latencyLoad.pace.perSecond} a second, p99`, value: quantile(latencies, 0.99), unit: 'ms' },
  ];
}
