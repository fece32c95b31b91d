import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { parseJson } from '#shared/base/json.ts';
import { localRequests } from './aws/base/http/local-requests.ts';
import { type LoopbackServer, listenOnLoopback } from './aws/base/http/loopback.ts';
import { readBody } from './aws/base/http/read-body.ts';
import { isSigned } from './console/signature-state.ts';

/** For one request to the service. */
const timeoutMs = 30_000;

const maxBodyBytes = 8 * 1024 * 1024;

/** The secret was rotated too often today. */
const tooManyRequests = 429;

/** A notification as it arrived. */
export interface Received {
  /** Whether the signature is right; absent if the secret is unknown. */
  verified?: boolean;
  /** The headers beyond those of every request, such as `x-flow-id`. */
  headers: Record<string, string>;
  /** The parsed body. */
  notification: unknown;
}

/**
 * Receives the notifications of a number, in the format of its webhook, and shows each to `show`. Closing it gives the
 * number its former URL again.
 * @throws Error if the service does not accept the receiver
 */
export async function startReceiver(
  { base_url, tokens }: { base_url: string; tokens: { owner: string } },
  number: string,
  show: (received: Received) => void,
): Promise<LoopbackServer> {
  async function call(method: string, path: string, body?: object): Promise<Response> {
    const response = await fetch(`${base_url}/v2/messaging/numbers/${number}/${path}`, {
      method,
      headers: { authorization: `Bearer ${tokens.owner}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.ok || response.status === tooManyRequests) return response;
    throw new Error(`${method} ${path} responded ${response.status}: ${await response.text()}`);
  }

  const { webhook: former } = (await (await call('GET', 'webhook')).json()) as { webhook: string | null };
  let secret: string | undefined;
  function receive({ headers, url = '' }: IncomingMessage, response: ServerResponse, body: Buffer | undefined) {
    const challenge = new URLSearchParams(url.slice(url.indexOf('?'))).get('hub.challenge');
    if (challenge !== null) {
      response.end(challenge); // The handshake of a target in Meta's format.
      return;
    }
    const notification = body && parseJson(body.toString());
    response.writeHead(notification === undefined ? 400 : 200).end();
    if (body && notification !== undefined) show(read(headers, body, notification, secret));
  }
  const handle: RequestListener = (request, response) =>
    void readBody(request, maxBodyBytes).then(
      (body) => receive(request, response, body),
      () => response.destroy(),
    );
  const { url, close } = await listenOnLoopback(createServer(localRequests(handle, {})), 0);
  await call('PUT', 'webhook', { webhook: url });
  // The number has a secret from its creation on, but only a new one is shown, and only a few a day may be made.
  secret = ((await (await call('POST', 'webhook/secret')).json()) as { secret?: string }).secret;
  return {
    url,
    async close() {
      await call('PUT', 'webhook', { webhook: former });
      await close();
    },
  };
}

function read(headers: IncomingHttpHeaders, body: Buffer, notification: unknown, secret: string | undefined): Received {
  return {
    ...(secret !== undefined && { verified: isSigned(headers, body, [secret]) }),
    headers: Object.fromEntries(
      Object.entries(headers).filter((entry): entry is [string, string] => entry[0].startsWith('x-')),
    ),
    notification,
  };
}
