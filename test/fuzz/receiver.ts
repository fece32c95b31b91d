import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A customer's server: webhooks and endpoints, good and bad ones, by path. */
export async function startReceiver() {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      switch (request.url?.split('?')[0]) {
        case '/error':
          return response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Oops</h1>');
        case '/redirect':
          return response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
        case '/garbage':
          return response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from([0xff, 0, 0x7b]));
        case '/close':
          return response.destroy();
        case '/flow':
          return response.end(JSON.stringify({ version: '3.0', screen: 'A', data: { status: 'active' } }));
        default:
          return response.writeHead(200).end('ok');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
