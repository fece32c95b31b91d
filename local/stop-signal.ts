/** How often to look whether the parent is still there: nothing reports its end. */
const lookEveryMs = 500;

/**
 * Aborts at the first SIGINT or SIGTERM, which then no longer ends the process. Further ones change nothing, because one
 * Ctrl-C arrives twice: the terminal sends it to npm and to us, and npm passes it on.
 *
 * A script of npm also stops when its parent ends. Npm passes SIGTERM on to the shell between the two, and a shell that
 * waits for its command (as Debian's does) ends without passing it on.
 */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, stop);
  if (process.env.npm_lifecycle_event !== undefined) whenOrphaned(stop);
  return stopping.signal;
}

/** Windows keeps naming the former parent, and has no SIGTERM. */
function whenOrphaned(act: () => void): void {
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    act();
  }, lookEveryMs);
  looking.unref();
}
