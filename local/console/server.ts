import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { parseJson } from '#shared/base/json.ts';
import { pageTexts } from '#shared/previews/page-texts.ts';
import { localRequests } from '../aws/base/http/local-requests.ts';
import { type LoopbackServer, listenOnLoopback } from '../aws/base/http/loopback.ts';
import { readBody } from '../aws/base/http/read-body.ts';
import type { World } from '../world.ts';
import { readAssets } from './assets.ts';
import { type ConsoleState, shownWorld } from './console-state.ts';
import { passOn } from './proxy.ts';
import { BuiltInReceiver, behaviourSchema } from './receiver.ts';
import { checkSdp, sdpSchema } from './sdp-check.ts';
import type { Stream } from './stream.ts';
import { subscribersIn } from './subscribers.ts';
import type { TableWatch } from './table-watch.ts';

export interface ConsoleOptions {
  /** 0 picks a free one. */
  readonly port: number;
  /** The folder of the built page. */
  readonly assets: string;
  readonly world: Pick<World, 'description' | 'table'>;
  readonly stream: Stream;
  readonly tableWatch: TableWatch;
  /** Further names of this machine. */
  readonly hosts?: readonly string[] | undefined;
  /** Starts a new world in place of this one. */
  readonly reset?: (() => void) | undefined;
}

interface ConsoleRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  /** With its question mark. */
  readonly query: string;
}

type Respond = (request: ConsoleRequest) => Promise<void> | void;

/** A path that ends with a slash stands for everything below it. */
const isAt = (path: string, expected: string) =>
  expected.endsWith('/') ? path.startsWith(expected) : path === expected;

const headers = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; " +
    "media-src 'self' blob:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const maxBodyBytes = 64 * 1024;

/**
 * Serves the console: its page, the stream of changes, a receiver of webhooks, and a way to the service (`/service/…`,
 * as the seeded owner unless the page names another token) and to the simulated platform (`/simulator/…`).
 */
export async function serveConsole(options: ConsoleOptions): Promise<LoopbackServer> {
  const { port, stream, tableWatch, hosts, reset } = options;
  const { description: world, table } = options.world;
  const startedAt = Date.now();
  const assets = await readAssets(options.assets);
  const receiver = new BuiltInReceiver(table, stream.publish, async (id) => {
    const { deliveries } = await tableWatch.read();
    return deliveries.find((one) => one.id === id)?.body;
  });

  const handle: RequestListener = (request, response) => {
    respond(request, response).catch((error: unknown) => {
      console.error(error);
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { message: 'The console failed. The terminal of "npm start" says why.' });
    });
  };

  const routes: readonly { readonly method?: string; readonly path: string; readonly respond: Respond }[] = [
    { method: 'GET', path: '/stream', respond: ({ request, response }) => stream.follow(request, response, headers) },
    {
      method: 'GET',
      path: '/console/state',
      respond: async ({ response }) => sendJson(response, 200, await state()),
    },
    { method: 'PUT', path: '/console/receiver', respond: configureReceiver },
    { method: 'POST', path: '/console/sdp-check', respond: findInSdp },
    { method: 'DELETE', path: '/console/world', respond: resetWorld },
    { method: 'GET', path: '/console/texts', respond: ({ response }) => sendJson(response, 200, pageTexts('en')) },
    {
      method: 'GET',
      path: '/receiver/',
      // Meta's handshake: this receiver wants events, whatever the verify token.
      respond: ({ response, query }) => response.end(new URLSearchParams(query).get('hub.challenge') ?? undefined),
    },
    {
      method: 'POST',
      path: '/receiver/',
      respond: ({ request, response, path }) => receiver.receive(path, request, response),
    },
    {
      path: '/service/',
      respond({ request, response, path, query }) {
        const defaults = { authorization: `Bearer ${world.tokens.owner}` };
        passOn(request, response, { origin: world.base_url, path: path.slice('/service'.length) + query, defaults });
      },
    },
    {
      path: '/simulator/',
      respond: ({ request, response, path, query }) =>
        passOn(request, response, { origin: world.upstream_url, path: path + query }),
    },
  ];

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const [path = '/'] = url.split('?', 1);
    const asset = Object.hasOwn(assets, path) ? assets[path] : undefined;
    if (asset !== undefined) {
      response.writeHead(200, { ...headers, 'content-type': asset.type }).end(asset.body);
      return;
    }
    const route = routes.find((one) => (one.method ?? method) === method && isAt(path, one.path));
    if (route === undefined) sendJson(response, 404, { message: 'The console has no such page.' });
    else await route.respond({ request, response, path, query: url.slice(path.length) });
  }

  /** What the page shows when it opens, apart from what it asks the simulated platform for. */
  async function state(): Promise<ConsoleState> {
    return {
      world: shownWorld(world, await subscribersIn(table)),
      started_at: startedAt,
      receiver: receiver.behaviour,
      requests: stream.kept('requests') as ConsoleState['requests'],
      events: stream.kept('events') as ConsoleState['events'],
      received: receiver.received,
      ...(await tableWatch.read()),
    };
  }

  async function configureReceiver({ request, response }: ConsoleRequest): Promise<void> {
    const body = await readBody(request, maxBodyBytes);
    const { data } = z.safeParse(behaviourSchema, parseJson(body?.toString() ?? ''));
    if (data === undefined) {
      sendJson(response, 400, { message: 'Give responds, status (200 to 599) and delay_ms (up to 60000).' });
      return;
    }
    receiver.behaviour = data;
    stream.publish('receiver', 'behaviour', data);
    sendJson(response, 200, data);
  }

  async function findInSdp({ request, response }: ConsoleRequest): Promise<void> {
    const body = await readBody(request, maxBodyBytes);
    const { data } = z.safeParse(sdpSchema, parseJson(body?.toString() ?? ''));
    if (data === undefined) sendJson(response, 400, { message: 'Give an sdp and its type, offer or answer.' });
    else sendJson(response, 200, { data: checkSdp(data) });
  }

  /** Says first that another world starts. */
  function resetWorld({ response }: ConsoleRequest): void {
    if (reset === undefined) {
      sendJson(response, 409, { message: 'This world cannot be reset from here. Start it with "npm start".' });
      return;
    }
    stream.publish('world', 'world', { restarts: true });
    // A client may disconnect before the response ends, so both events start the reset. Only the first one counts.
    for (const event of ['finish', 'close']) response.once(event, () => reset());
    sendJson(response, 202, { message: 'Another world is starting in place of this one.' });
  }

  const server = createServer(localRequests(handle, { hosts }));
  const { url, close } = await listenOnLoopback(server, port);
  return {
    url,
    async close() {
      receiver.close();
      tableWatch.close();
      stream.close();
      await close();
    },
  };
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { ...headers, 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}
