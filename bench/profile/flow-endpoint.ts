import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a customer's endpoint for the dynamic Flow, which gets plain JSON from the service. Returns its URL. */
export async function startEndpoint(): Promise<string> {
  const server = createServer(async (request, response) => {
    const { action } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const answer = action === 'ping' ? { data: { status: 'active' } } : { screen: 'DATE', data: { slots: 'nine' } };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
