import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { freePort } from '../base/free-port.ts';
import { startWatchdog } from '../base/watchdog.ts';

/** A DynamoDB engine on this machine. */
export interface Engine {
  /** `http://127.0.0.1:PORT` */
  url: string;
  close(): Promise<void>;
}

type Spawned = ChildProcessByStdio<null, null, Readable>;

const startAttempts = 5;

/**
 * Starts dynoxide, a DynamoDB engine that comes with `npm ci` and needs neither Java nor Docker. It keeps its data in
 * `file`, or in memory without one. It ends with this process, however that ends.
 */
export async function startEngine(file?: string): Promise<Engine> {
  // Another process may take the free port before the engine does.
  for (let attempt = 1; attempt <= startAttempts; attempt++) {
    const port = await freePort();
    const engine = spawn(
      dynoxide(),
      ['serve', '--host', '127.0.0.1', '--port', String(port), ...(file === undefined ? [] : ['--db-path', file])],
      { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
    );
    const exited = once(engine, 'exit');
    const watchdog = await startWatchdog();
    if (engine.pid !== undefined) watchdog.watch(engine.pid);
    if (await isListening(engine)) {
      return {
        url: `http://127.0.0.1:${port}`,
        async close() {
          engine.kill();
          await exited;
          watchdog.close();
        },
      };
    }
    watchdog.close();
  }
  throw new Error(`The DynamoDB engine did not start in ${startAttempts} attempts`);
}

function dynoxide(): string {
  const packageName = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`)), 'dynoxide');
  } catch {
    throw new Error(
      `There is no DynamoDB engine for ${process.platform}-${process.arch}: ${packageName} is not installed. ` +
        'Run DynamoDB Local yourself and set AWS_ENDPOINT_URL_DYNAMODB to its address.',
    );
  }
}

/** Waits until the engine announces itself on stderr, or ends. */
async function isListening({ stderr }: Spawned): Promise<boolean> {
  for await (const line of createInterface(stderr)) {
    if (!line.includes('listening on')) continue;
    stderr.resume(); // An unread pipe that fills up would block the engine.
    return true;
  }
  return false;
}
