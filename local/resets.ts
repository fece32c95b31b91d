import { renameSync, rmSync } from 'node:fs';
import type { Part } from './parts.ts';

export interface ResettableWorld extends Part {
  /** Resolves when somebody asks for a new world in its place. */
  readonly reset: Promise<void>;
}

interface ResetOptions {
  /** Where the world keeps its data. */
  readonly dataDir: string;
  /** Aborts when the process is about to end. */
  readonly signal: AbortSignal;
  readonly start: () => Promise<ResettableWorld>;
}

/** Starts the world, and one with the seeded data in its place whenever somebody asks for that, until the process ends. */
export async function runWithResets({ dataDir, signal, start }: ResetOptions): Promise<void> {
  const former = `${dataDir}.former`;
  const forget = () => rmSync(former, { recursive: true, force: true });
  forget();
  let world = await start();
  while (!signal.aborted) {
    await world.reset;
    await world.close();
    // Under another name first: a process that is killed meanwhile leaves no half of a world to the next one.
    renameSync(dataDir, former);
    forget();
    try {
      world = await start();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
