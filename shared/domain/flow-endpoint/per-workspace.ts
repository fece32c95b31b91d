import type { Clock } from '#shared/base/clock.ts';
import { type CachedReader, cached } from '#shared/base/lazy.ts';

/** Of how many workspaces a function keeps something. */
const mostWorkspaces = 500;

/** Loads something of a workspace, unless what was loaded is younger than the caller demands. */
export function perWorkspace<T>(load: (workspace: string) => Promise<T>, now: Clock) {
  const readers = new Map<string, CachedReader<T>>();
  return (workspace: string, maxAgeMs: number): Promise<T> => {
    if (readers.size >= mostWorkspaces && !readers.has(workspace)) readers.clear();
    const read = readers.get(workspace) ?? cached(() => load(workspace), Number.POSITIVE_INFINITY, now);
    readers.set(workspace, read);
    return read(maxAgeMs);
  };
}
