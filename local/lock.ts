import { readFileSync, rmSync, writeFileSync } from 'node:fs';

/** Another world that runs on the same data. */
export class LockedError extends Error {}

/**
 * Takes the data for this process, so that two worlds never write to the same files. A lock whose process is gone, say
 * after a kill, counts for nothing.
 */
export function lock(file: string): () => void {
  const holder = readHolder(file);
  if (holder !== undefined && holder !== process.pid && isRunning(holder)) {
    throw new LockedError(`Another local world (process ${holder}) runs on the same data. Stop it first.`);
  }
  writeFileSync(file, String(process.pid));
  return () => rmSync(file, { force: true });
}

function readHolder(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
