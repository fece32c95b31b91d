import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoopbackServer {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  url: string;
  /** Lets running requests finish for up to a second, then ends their connections. */
  close(): Promise<void>;
}

/** Longer than any client keeps an idle connection, so that no request meets a connection that is being closed. */
const keepAliveMs = 350_000;

const reapMs = 10;
const graceMs = 1000;

/** Listens on 127.0.0.1 only. Port 0 picks a free one; a taken one rejects with `EADDRINUSE`. */
export async function listenOnLoopback(server: Server, port: number): Promise<LoopbackServer> {
  server.keepAliveTimeout = keepAliveMs;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: listening } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${listening}`, close: () => closeGracefully(server) };
}

async function closeGracefully(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const reap = setInterval(() => server.closeIdleConnections(), reapMs);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(reap);
  clearTimeout(deadline);
}
