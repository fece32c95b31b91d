import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';

/** Headers that belong to one connection, or that say where the page came from. */
const droppedHeaders = ['connection', 'keep-alive', 'transfer-encoding', 'host', 'origin', 'referer', 'cookie'];

export interface ProxyTarget {
  /** `http://HOST:PORT`. */
  readonly origin: string;
  /** The path and query to ask for. */
  readonly path: string;
  /** Headers to add where the page sends none. */
  readonly defaults?: Readonly<Record<string, string>>;
}

/**
 * Files of contacts have any type, also one that a browser would run. They come from the console's own origin, where
 * a script could do everything.
 */
const harmless = {
  'cache-control': 'no-store',
  'content-security-policy': 'sandbox',
  'x-content-type-options': 'nosniff',
};

/** Passes a request of a page on to another server of the local world: the page may only talk to its own. */
export function passOn(request: IncomingMessage, response: ServerResponse, target: ProxyTarget): void {
  const passed = Object.entries(request.headers).filter(([name]) => !isDropped(name));
  const headers = { ...target.defaults, ...Object.fromEntries(passed) };
  const passedRequest = httpRequest(`${target.origin}${target.path}`, { method: request.method ?? 'GET', headers });
  passedRequest.once('response', (incoming) => {
    const kept = Object.entries(incoming.headers).filter(([name]) => !isDropped(name) && name !== 'set-cookie');
    response.writeHead(incoming.statusCode ?? 502, { ...Object.fromEntries(kept), ...harmless });
    pipeline(incoming, response, () => undefined);
  });
  passedRequest.on('error', ({ message }) => {
    if (response.headersSent || response.destroyed) response.destroy();
    else response.writeHead(502, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
  });
  // A page can leave while it waits. Piping to it then would throw.
  response.once('close', () => passedRequest.destroy());
  pipeline(request, passedRequest, () => undefined);
}

const isDropped = (name: string) => droppedHeaders.includes(name) || name.startsWith('sec-');
