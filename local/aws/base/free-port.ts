import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections and to whoever asks for port 0 (Linux from 32768, others from 49152). */
const [lowest, highest] = [20_000, 32_000];

/** A port of 127.0.0.1 that nobody listens on right now, and that no system hands to another in the meantime. */
export async function freePort(): Promise<number> {
  const { port, release } = await holdFreePort();
  await release();
  return port;
}

export interface HeldPort {
  readonly port: number;
  /** Lets it go, to be listened on at once. */
  release(): Promise<void>;
}

/** Keeps a free port from others until it is needed. */
export async function holdFreePort(): Promise<HeldPort> {
  for (;;) {
    const port = randomInt(lowest, highest);
    const release = await hold(port).catch(() => undefined);
    if (release) return { port, release };
  }
}

/** Rejects with `EADDRINUSE` when somebody listens on the port. */
export async function assertFree(port: number): Promise<void> {
  const release = await hold(port);
  await release();
}

/** Listens on the port until what it returns is called. */
async function hold(port: number): Promise<() => Promise<void>> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return () => new Promise((resolve) => server.close(() => resolve()));
}
