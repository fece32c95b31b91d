import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { localRequests } from '../aws/base/http/local-requests.ts';
import { type LoopbackServer, listenOnLoopback } from '../aws/base/http/loopback.ts';
import type { World } from '../world.ts';
import type { WorldAddresses } from '../world-description.ts';
import { readAssets } from './assets.ts';
import type { WorldState } from './console-state.ts';
import { namesIn } from './line.ts';
import { livePage, liveScript } from './live-page.ts';
import type { Stream } from './stream.ts';
import { subscribersIn } from './subscribers.ts';
import type { TableWatch } from './table-watch.ts';

export interface LiveConsoleOptions {
  /** 0 picks a free one. */
  readonly port: number;
  /** The folder of the built console, for its style sheet. */
  readonly assets: string;
  readonly world: Pick<World<WorldAddresses>, 'description' | 'table'>;
  readonly stream: Stream;
  readonly tableWatch: TableWatch;
  /** Further names of this machine. */
  readonly hosts?: readonly string[] | undefined;
  /** What stands in front of commands for the world. */
  readonly prefix: string;
}

const headers = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** Serves the console of a live world: one page, the stream of deliveries, and nothing that changes anything. */
export async function serveLiveConsole(options: LiveConsoleOptions): Promise<LoopbackServer> {
  const { world, stream, tableWatch, prefix } = options;
  const assets = Object.entries(await readAssets(options.assets));
  const [style = '', sheet] = assets.find(([path]) => /^\/console-.*\.css$/.test(path)) ?? [];

  async function state(): Promise<WorldState> {
    return { world: await subscribersIn(world.table), ...(await tableWatch.read()) };
  }

  async function show(): Promise<string> {
    const read = await state();
    return livePage({ ...read, addresses: world.description, names: namesIn(read.world), prefix, style });
  }

  async function respond({ method, url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (type: string, body: string) =>
      response.writeHead(200, { ...headers, 'content-type': `${type}; charset=utf-8` }).end(body);
    if (method !== 'GET') response.writeHead(404, headers).end('Not found\n');
    else if (url === '/') send('text/html', await show());
    else if (url === '/live.js') send('text/javascript', liveScript);
    else if (url === style && sheet) send('text/css', sheet.body);
    else if (url === '/console/state') send('application/json', JSON.stringify(await state()));
    else response.writeHead(404, headers).end('Not found\n');
  }

  const server = createServer(
    localRequests(
      (request, response) => {
        if (request.url === '/stream' && request.method === 'GET') {
          stream.follow(request, response, headers);
          return;
        }
        respond(request, response).catch((error: unknown) => {
          console.error(error);
          if (!response.headersSent) response.writeHead(500, headers);
          response.end('The terminal of "npm start" says what is wrong.\n');
        });
      },
      { hosts: options.hosts },
    ),
  );
  const { url, close } = await listenOnLoopback(server, options.port);
  return {
    url,
    async close() {
      tableWatch.close();
      stream.close();
      await close();
    },
  };
}
