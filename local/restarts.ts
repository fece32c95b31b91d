import { existsSync, renameSync, rmSync } from 'node:fs';
import type { Part } from './parts.ts';
import type { WorldContents } from './transfer/world-file.ts';

/** What a world starts with. Without contents, a new one has the seeded data, and an old one what it has kept. */
export interface WorldStart {
  readonly contents?: WorldContents | undefined;
  /** Why the world has not started as somebody asked. */
  readonly notice?: string;
}

/** Somebody asks for another world in place of this one. */
export type Restart = Pick<WorldStart, 'contents'>;

export interface RestartableWorld extends Part {
  /** Resolves when somebody asks for another world in its place. */
  readonly restart: Promise<Restart>;
}

interface RestartOptions {
  /** Where the world keeps its data. */
  readonly dataDir: string;
  /** Aborts when the process is about to end. */
  readonly signal: AbortSignal;
  readonly start: (options: WorldStart) => Promise<RestartableWorld>;
  readonly onError: (error: Error) => void;
}

/**
 * Starts the world, and another one in its place whenever somebody asks for that, until the process ends. The former
 * data are kept until the new world runs: a world that cannot start with what it is given changes nothing.
 */
export async function runWithRestarts({ dataDir, signal, start, onError }: RestartOptions): Promise<void> {
  const former = formerData(dataDir);
  former.putBack();
  let world = await start({});
  former.forget();
  while (!signal.aborted) {
    const { contents } = await world.restart;
    await world.close();
    former.setAside();
    try {
      world = await start({ contents });
      former.forget();
    } catch (cause) {
      if (signal.aborted) return;
      const { message } = cause instanceof Error ? cause : new Error(String(cause));
      const notice = `The new world did not start, so this is the former one: ${message}`;
      onError(new Error(notice, { cause }));
      former.putBack();
      world = await start({ notice });
    }
  }
}

/** Data that wait beside their folder. A process that is killed meanwhile leaves them to the next one. */
function formerData(dataDir: string) {
  const aside = `${dataDir}.former`;
  const remove = (folder: string) => rmSync(folder, { recursive: true, force: true });
  return {
    setAside: () => renameSync(dataDir, aside),
    putBack() {
      if (!existsSync(aside)) return;
      remove(dataDir);
      renameSync(aside, dataDir);
    },
    forget: () => remove(aside),
  };
}
