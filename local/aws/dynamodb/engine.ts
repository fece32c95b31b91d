import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { keptSecret } from '../base/kept-secret.ts';
import { startWatchdog } from '../base/watchdog.ts';

/** A DynamoDB engine on this machine. */
export interface Engine {
  /** `http://127.1.2.3:PORT` */
  readonly url: string;
  /**
   * Who the engine believes its caller is. DynamoDB Local takes letters and digits only, and keeps a database for each
   * id, so nobody who doesn't know it reaches the data.
   */
  readonly accessKeyId: string;
  close(): Promise<void>;
}

/** An engine that this machine has does not start. Only its message is printed. */
export class EngineError extends Error {}

/** What to do when an engine ends before it is ready. The command shows why. */
export function didNotStart(name: string, command: { program: string; arguments: readonly string[] }): EngineError {
  return new EngineError(
    `${name} does not start. To see why, run: ${[command.program, ...command.arguments].map(quoted).join(' ')}`,
  );
}

const quoted = (word: string) => (/^[\w./:=@\\-]+$/.test(word) ? word : `"${word}"`);

/** A random access key id that DynamoDB Local takes: letters and digits. */
export const newAccessKeyId = (): string => randomBytes(10).toString('hex');

/** The access key id that `file` keeps, because DynamoDB Local finds the data again only under the same id. */
export const keptAccessKeyId = (file: string): string => keptSecret(file, /^[0-9a-f]{20}$/, newAccessKeyId);

/** What an engine prints, on stdout and stderr. */
export type Output = readonly Readable[];

export interface EngineProcess {
  close(): Promise<void>;
}

export interface Command {
  program: string;
  arguments: readonly string[];
  /** Resolves with true when the engine takes requests, and with false when it cannot any more. */
  isReady(output: Output): Promise<boolean>;
}

/** Starts an engine that ends with this process, however that ends. Undefined if it ends before it is ready. */
export async function startEngineProcess(command: Command): Promise<EngineProcess | undefined> {
  const engine: ChildProcessByStdio<null, Readable, Readable> = spawn(command.program, command.arguments, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const exited = Promise.race([once(engine, 'exit'), once(engine, 'error')]).catch(() => undefined);
  const watchdog = await startWatchdog();
  if (engine.pid !== undefined) watchdog.watch(engine.pid);
  const { stdout, stderr } = engine;
  const isReady = await Promise.race([command.isReady([stdout, stderr]), exited.then(() => false)]);
  if (!isReady) {
    engine.kill();
    watchdog.close();
    return;
  }
  // An unread pipe that fills up would block the engine.
  for (const stream of [stdout, stderr]) stream.resume();
  return {
    async close() {
      engine.kill();
      await exited;
      watchdog.close();
    },
  };
}
