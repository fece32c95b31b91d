import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface LocalReceiver {
  url: string;
  /** The notifications that arrived, as text. */
  received: string[];
  close(): void;
}

/** A receiver on this machine, for a service that may send to it. */
export async function startReceiver(): Promise<LocalReceiver> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then(
      (body) => {
        received.push(body.toString());
        response.end();
      },
      () => response.destroy(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, received, close: () => void server.close().closeAllConnections() };
}
