import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections and to whoever asks for port 0 (Linux from 32768, others from 49152). */
const [lowest, highest] = [20_000, 32_000];

/** A port of 127.0.0.1 that nobody listens on right now, and that no system hands to another in the meantime. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  assertFree(port).then(
    () => true,
    () => false,
  );

/** Rejects with `EADDRINUSE` when somebody listens on the port. */
export async function assertFree(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
