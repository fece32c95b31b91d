import { createServer, type IncomingHttpHeaders } from 'node:http';
import { signatureHeaders } from '#shared/domain/signing/webhook-signature.ts';
import { type LoopbackServer, listenOnLoopback } from './aws/base/loopback.ts';
import { readBody } from './aws/base/read-body.ts';
import type { WorldDescription } from './world-description.ts';

const maxBodyBytes = 8 * 1024 * 1024;

/** A notification as it arrived. */
export interface Received {
  /** Whether the signature is right. */
  verified: boolean;
  /** The headers beyond those of every request, such as `x-flow-id`. */
  headers: Record<string, string>;
  /** The parsed body. */
  notification: unknown;
}

/** Receives the notifications of a number, and shows each to `show`. Closing it removes its URL from the number. */
export async function startReceiver(
  { base_url, tokens }: Pick<WorldDescription, 'base_url' | 'tokens'>,
  number: string,
  show: (received: Received) => void,
): Promise<LoopbackServer> {
  async function call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const response = await fetch(`${base_url}/v2/messaging/numbers/${number}/${path}`, {
      method,
      headers: { authorization: `Bearer ${tokens.owner}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} responded ${response.status}: ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  }

  let secret: string | undefined;
  const server = createServer(async (request, response) => {
    const body = await readBody(request, maxBodyBytes);
    response.writeHead(body ? 200 : 413).end();
    if (body) show(read(request.headers, body, secret));
  });
  const { url, close } = await listenOnLoopback(server, 0);
  try {
    await call('PUT', 'webhook', { webhook: url });
    // The number has a secret from its first webhook on, but only a new one is shown.
    secret = String((await call('POST', 'webhook/secret')).secret);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url,
    async close() {
      await call('PUT', 'webhook', { webhook: null });
      await close();
    },
  };
}

function read(headers: IncomingHttpHeaders, body: Buffer, secret: string | undefined): Received {
  return {
    verified: secret !== undefined && isSignedWith(secret, headers, body),
    headers: Object.fromEntries(
      Object.entries(headers).filter((entry): entry is [string, string] => entry[0].startsWith('x-')),
    ),
    notification: JSON.parse(body.toString('utf8')),
  };
}

/** A rotated secret signs beside the former ones for a day, so there may be several signatures. */
function isSignedWith(secret: string, headers: IncomingHttpHeaders, body: Buffer): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  const expected = signatureHeaders({ id: String(id), timestamp: Number(timestamp), body, secrets: [secret] });
  return String(signatures).split(' ').includes(expected['webhook-signature']);
}
