import { Agent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { HttpRequest, HttpResponse, RequestHandler } from '@smithy/types';

/** The maximum number of connections of one client, and so of its calls in progress. */
const maxSockets = 50;

/** Milliseconds for a new connection. */
const connectMs = 1_000;

interface Options {
  /** Hands on the bodies of responses as they arrive, and does not limit how long that takes. */
  streams?: boolean;
}

/**
 * Sends the SDK's requests and reads whole responses, unless they may be large. Repeated attempts open connections of
 * their own: a function that was frozen finds its kept ones closed, each of which would cost an attempt.
 *
 * @param requestMs milliseconds for one exchange, connecting included
 */
export function requestHandler(
  requestMs: number,
  { streams = false }: Options = {},
): RequestHandler<HttpRequest, HttpResponse> {
  const options = { keepAlive: true, maxSockets };
  const agents = { 'http:': new Agent(options), 'https:': new HttpsAgent(options) };

  return {
    metadata: { handlerProtocol: 'http/1.1' },
    handle: async (request) => ({
      response: await exchange(request, { agents: isFirst(request) && agents, requestMs, streams }),
    }),
    destroy() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/** The SDK says it in a header, `attempt=2; max=3`. */
const isFirst = ({ headers }: HttpRequest) => !/attempt=[^1]/.test(headers['amz-sdk-request'] ?? '');

interface Agents {
  'http:': Agent;
  'https:': HttpsAgent;
}

function exchange(
  { protocol, hostname, port, method, path: pathname, query, headers, body }: HttpRequest,
  { agents, requestMs, streams }: { agents: Agents | false; requestMs: number; streams: boolean },
): Promise<HttpResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>();
  const isSecure = protocol === 'https:';
  const agent = agents === false ? false : agents[isSecure ? 'https:' : 'http:'];
  // An IPv6 address has brackets in a URL only.
  const host = hostname.replace(/[[\]]/g, '');
  const path = pathname + queryString(query);
  const request = (isSecure ? requestHttps : requestHttp)({ host, port, method, path, headers, agent });
  const end = (timeoutMs: number) => request.destroy(timeoutError(hostname, timeoutMs));
  const timer = setTimeout(end, requestMs, requestMs);
  let connecting: NodeJS.Timeout | undefined;
  let isComplete = false;
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    connecting = setTimeout(end, connectMs, connectMs);
    socket.once('connect', () => clearTimeout(connecting));
  });
  request.once('response', (response) => {
    const complete = (body: unknown) => {
      isComplete = true;
      resolve({
        statusCode: response.statusCode ?? 0,
        headers: response.headers as Record<string, string>,
        body,
      });
    };
    if (streams) {
      clearTimeout(timer);
      complete(response);
      return;
    }
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.once('end', () => complete(Buffer.concat(chunks)));
  });
  request.on('error', reject);
  request.once('close', () => {
    clearTimeout(timer);
    clearTimeout(connecting);
    // Node emits nothing else when the service switches to another protocol. After a response, an error would be unused
    // and still take a twentieth of a notification's processor time.
    if (!isComplete) reject(endedEarly(hostname));
  });
  request.end(body);
  return promise;
}

/** Only S3 has one. It must be escaped as it is signed. */
function queryString(query: HttpRequest['query'] = {}): string {
  const parameters = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => (value === null ? escaped(name) : `${escaped(name)}=${escaped(value)}`)),
  );
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`;
}

const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

function endedEarly(hostname: string): Error {
  return Object.assign(new Error(`${hostname} ended the exchange early`), { code: 'ECONNRESET' });
}

function timeoutError(hostname: string, timeoutMs: number): Error {
  return Object.assign(new Error(`${hostname} did not respond within ${timeoutMs} ms`), { name: 'TimeoutError' });
}
