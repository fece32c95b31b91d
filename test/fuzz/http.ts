import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import type { FuzzRequest } from './requests.ts';

export interface FuzzResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Longer than the gateway waits for any function. */
const timeoutMs = 60_000;

/** Sends requests as they are: unlike `fetch`, it does not normalise paths, and takes odd headers. */
export function createClient(baseUrl: string) {
  const { hostname, port } = new URL(baseUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });

  const send = ({ method, target, headers, body }: FuzzRequest): Promise<FuzzResponse> =>
    new Promise((resolve, reject) => {
      const sending = request(
        {
          agent,
          hostname,
          port,
          method,
          path: target,
          headers: { ...headers, ...(body && { 'content-length': String(body.length) }) },
          timeout: timeoutMs,
        },
        (incoming) => {
          readText(incoming).then(
            (text) => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }),
            reject,
          );
        },
      );
      sending.on('timeout', () => sending.destroy(new Error('No response in time')));
      sending.on('error', reject);
      sending.end(body);
    });

  return { send, close: () => agent.destroy() };
}

/** The request as a command for a shell; a large body is cut. */
export function asCurl(baseUrl: string, { method, target, headers, body }: FuzzRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const isText = body?.equals(Buffer.from(body.toString('utf8')));
  const shown =
    body && body.length > 2_000 ? `${body.toString('utf8', 0, 2_000)}…(${body.length} bytes)` : body?.toString('utf8');
  return [
    `curl -i --path-as-is -X ${method} ${quoted(baseUrl + target)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value.slice(0, 300)}`)}`),
    ...(body
      ? [
          isText
            ? `--data-binary ${quoted(shown ?? '')}`
            : `--data-binary @<(base64 -d <<< ${body.toString('base64').slice(0, 2_000)})`,
        ]
      : []),
  ].join(' \\\n  ');
}
