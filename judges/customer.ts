import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * A customer's server. It takes every notification, and its responses to phones look encrypted, except at `clearUrl`,
 * the endpoint of a Flow whose key is the service's.
 */
export async function startCustomer() {
  let file = '';
  const server = createServer(async (request, response) => {
    const body = await text(request);
    file = /\/files\/([\w-]+)/.exec(body)?.[1] ?? file;
    response.end(request.url === '/clear' ? '{"screen":"DATE","data":{"status":"active","slots":"nine"}}' : 'T2s=');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    clearUrl: `${url}clear`,
    /** The last part of the address of the latest file that a contact picked. */
    pickedFile: () => file,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export type Customer = Awaited<ReturnType<typeof startCustomer>>;
