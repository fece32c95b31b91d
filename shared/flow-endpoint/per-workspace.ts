import type { Clock } from '../clock.ts';

/** Of how many workspaces a function keeps something. */
const mostWorkspaces = 500;

/** Loads something of a workspace, unless what was loaded is younger than the caller demands. */
export function perWorkspace<T>(load: (workspace: string) => Promise<T>, now: Clock) {
  const loaded = new Map<string, { value: Promise<T>; at: number }>();
  return (workspace: string, maxAgeMs: number): Promise<T> => {
    const held = loaded.get(workspace);
    if (held && now() - held.at < maxAgeMs) return held.value;
    if (loaded.size >= mostWorkspaces) loaded.clear();
    const mine = { value: load(workspace), at: now() };
    loaded.set(workspace, mine);
    mine.value.catch(() => {
      if (loaded.get(workspace) === mine) loaded.delete(workspace);
    });
    return mine.value;
  };
}
