import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A Flow with one screen, whose data comes from an endpoint. */
export const dynamicFlowJson = {
  version: '7.3',
  data_api_version: '3.0',
  routing_model: { DATE: [] },
  screens: [
    {
      id: 'DATE',
      title: 'Date',
      terminal: true,
      data: { slots: { type: 'string', __example__: 'nine' } },
      layout: {
        type: 'SingleColumnLayout',
        children: [{ type: 'Footer', label: 'Done', 'on-click-action': { name: 'data_exchange', payload: {} } }],
      },
    },
  ],
};

/** Starts a customer's endpoint for that Flow, which gets plain JSON from the service. Returns its URL. */
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
