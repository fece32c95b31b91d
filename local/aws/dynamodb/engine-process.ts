import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { startWatchdog } from '../base/watchdog.ts';

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
