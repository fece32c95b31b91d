import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoopbackServer } from './loopback.ts';

const reapMs = 10;
const graceMs = 1000;

/**
 * Listens on 127.0.0.1 and hands each connection to `serve`, past Node's HTTP: that takes more time for a request than
 * a local service does. Closing waits up to a second until `isBusy` says that no connection has a running request.
 */
export async function listenForConnections(
  port: number,
  serve: (client: Socket) => void,
  isBusy: (client: Socket) => boolean = () => false,
): Promise<LoopbackServer> {
  const clients = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    clients.add(client);
    client.once('close', () => clients.delete(client));
    client.once('error', () => client.destroy());
    serve(client);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      const deadline = performance.now() + graceMs;
      while ([...clients].some(isBusy) && performance.now() < deadline) await delay(reapMs);
      for (const client of clients) client.destroy();
      await closed;
    },
  };
}
