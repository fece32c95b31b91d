import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** These are below the ephemeral ports, which systems hand out on their own (Linux from 32768, others from 49152). */
const [lowest, highest] = [20_000, 32_000];

/** A free port of 127.0.0.1. It is outside the ephemeral range, so the system gives it to no other process. */
export async function freePort(): Promise<number> {
  const { port, close } = await reserveFreePort();
  await close();
  return port;
}

export interface ReservedPort {
  readonly port: number;
  /** Frees the port. Someone can listen on it immediately. */
  close(): Promise<void>;
}

/** Reserves a free port in place of 0 until it is needed. Any other port is returned as it is. */
export async function reservePort(port: number): Promise<ReservedPort> {
  return port === 0 ? reserveFreePort() : { port, close: async () => undefined };
}

/** A port in use is rare, so this many failures have another cause. */
const maxTries = 100;

async function reserveFreePort(): Promise<ReservedPort> {
  for (let tries = 1; ; tries++) {
    const port = randomInt(lowest, highest);
    try {
      return { port, close: await listen(port) };
    } catch (error) {
      if (tries === maxTries) throw error;
    }
  }
}

/** Rejects with `EADDRINUSE` when somebody listens on the port. */
export async function assertFree(port: number): Promise<void> {
  const close = await listen(port);
  await close();
}

/** Listens on the port until what it returns is called. */
async function listen(port: number): Promise<() => Promise<void>> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return () => new Promise((resolve) => server.close(() => resolve()));
}
