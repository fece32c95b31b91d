/**
 * Aborts at the first SIGINT or SIGTERM, which then no longer ends the process. Further ones change nothing, because one
 * Ctrl-C arrives twice: the terminal sends it to npm and to us, and npm passes it on.
 */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort());
  return stopping.signal;
}
