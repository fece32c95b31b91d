import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { listenOnLoopback } from '#local/aws/base/http/loopback.ts';

/** A request as it arrived. */
export interface Received {
  path: string;
  method: string;
  headers: IncomingHttpHeaders;
  /** The exact bytes. */
  body: Buffer;
  /** When the request was complete, in epoch milliseconds. */
  at: number;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** How long the receiver waits before it responds. */
  afterMs?: number;
}

/**
 * What the receiver does with a request: it responds, never responds (`hang`), sends its head or body a byte at a time
 * (`drip-head`, `drip-body`), ends in the middle of the body (`cut`) or breaks the connection (`reset`).
 */
export type Reaction = Answer | 'hang' | 'drip-head' | 'drip-body' | 'cut' | 'reset';

/**
 * The reactions to requests for one path: one for each request, the last of which repeats; or a function that returns
 * one.
 */
export type Script = readonly [Reaction, ...Reaction[]] | ((request: Received) => Reaction);

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const dripMs = 50;

/**
 * A customer's webhook on loopback that reacts as the test says and records its requests. By default, it responds with
 * 200.
 */
export async function startReceiver() {
  const requests: Received[] = [];
  const scripts = new Map<string, Script>();
  const stopping = new AbortController();

  const server = createServer((request, response) => {
    receive(request, response).catch(() => request.destroy());
  });

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    const body = Buffer.concat(await request.toArray());
    const received = { path, method, headers, body, at: Date.now() };
    requests.push(received);
    await react(response, reactionTo(received), stopping.signal);
  }

  function reactionTo(received: Received): Reaction {
    const script = scripts.get(received.path);
    if (typeof script === 'function') return script(received);
    if (script === undefined) return {};
    const [reaction, ...rest] = script;
    const [next, ...others] = rest;
    if (next !== undefined) scripts.set(received.path, [next, ...others]);
    return reaction;
  }

  const { url, close } = await listenOnLoopback(server, 0);
  return {
    url,
    /** Sets the reactions from now on. */
    script: (path: string, script: Script) => void scripts.set(path, script),
    /** The requests for a path so far; without a path, all requests. */
    received: (path?: string): Received[] => requests.filter((request) => path === undefined || request.path === path),
    async close(): Promise<void> {
      stopping.abort();
      server.closeAllConnections();
      await close();
    },
  };
}

async function react(response: ServerResponse, reaction: Reaction, signal: AbortSignal): Promise<void> {
  const { socket } = response;
  switch (reaction) {
    case 'hang':
      return;
    case 'reset':
      socket?.resetAndDestroy();
      return;
    case 'cut':
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"half":', () => socket?.end());
      return;
    case 'drip-head':
      for (const byte of `HTTP/1.1 200 OK\r\nx-slow: ${'z'.repeat(10_000)}`) {
        socket?.write(byte);
        await delay(dripMs, undefined, { signal });
        if (socket?.destroyed !== false) return;
      }
      return;
    case 'drip-body':
      response.writeHead(200, { 'content-length': '10000' });
      while (!response.destroyed) {
        response.write('z');
        await delay(dripMs, undefined, { signal });
      }
      return;
    default:
      if (reaction.afterMs !== undefined) await delay(reaction.afterMs, undefined, { signal });
      response.writeHead(reaction.status ?? 200, reaction.headers).end(reaction.body);
  }
}

/**
 * Verifies a notification as its receiver would, with the library of Standard Webhooks, and returns its content. Throws
 * if the signature or its time is wrong.
 */
export function verified({ headers, body }: Received, secret: string): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}
