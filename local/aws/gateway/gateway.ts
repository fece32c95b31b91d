import { createServer, type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { localRequests } from '../base/http/local-requests.ts';
import { type LoopbackServer, listenOnLoopback } from '../base/http/loopback.ts';
import { readBody } from '../base/http/read-body.ts';
import { type Invoke, RequestTooLargeError, ThrottledError } from '../lambda/invocation.ts';
import { startTimer } from '../lambda/processor-time.ts';
import type { HttpApi } from '../template/http-api.ts';
import { buildFunctionEvent, buildRequestEvent, createRequestId } from './event.ts';
import { type GatewayRequest, splitTarget } from './request.ts';
import { type GatewayResponse, gatewayResponses, hasNoBody, json, toResponse } from './response.ts';
import { createRouter } from './routing.ts';

/** API Gateway's quotas for HTTP APIs. */
const maxBodyBytes = 10 * 1024 * 1024;
const maxHeaderBytes = 10_240;

export interface GatewayOptions {
  /** 0 picks a free one. */
  readonly port: number;
  readonly api: HttpApi;
  /** Further host names that clients may use besides those of this machine, or all names. */
  readonly hosts?: readonly string[] | 'all' | undefined;
  /** What it responds at a path that nobody can guess. Who reads it has reached this gateway. */
  readonly proof?: { readonly path: string; readonly text: string } | undefined;
  readonly invoke: Invoke;
  /** Receives the cause when the gateway responds with 500 or 503 in place of a function. */
  readonly onError: (error: Error) => void;
}

function send(response: ServerResponse, { status, headers, cookies, body }: GatewayResponse, requestId: string): void {
  // In one array, Node takes them as they are.
  const lines = [...headers, ['apigw-requestid', requestId], ...cookies.map((cookie) => ['set-cookie', cookie])];
  if (!hasNoBody(status)) lines.push(['content-length', String(body.length)]);
  response.writeHead(status, lines.flat());
  response.end(body);
}

/** Responds to what cannot be read as a request: the headers are too large, or it is not HTTP. */
function reject(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, headers, body } =
    error.code === 'HPE_HEADER_OVERFLOW' ? gatewayResponses.headersTooLarge : gatewayResponses.badRequest;
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...[...headers].map(([name, value]) => `${name}: ${value}`),
    `apigw-requestid: ${createRequestId()}`,
    `content-length: ${body.length}`,
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** The response when the gateway got no result from a function. */
function failureResponse(error: unknown): GatewayResponse {
  if (error instanceof URIError) return gatewayResponses.badRequest;
  if (error instanceof RequestTooLargeError) return gatewayResponses.tooLarge;
  return error instanceof ThrottledError || error instanceof TimeoutError
    ? gatewayResponses.unavailable
    : gatewayResponses.internalError;
}

class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** Waits for a promise, but no longer than this. The promise itself goes on. */
function withTimeout<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = startTimer(milliseconds, () => reject(new TimeoutError(`No response within ${milliseconds} ms.`)));
    promise.then(resolve, reject).finally(stop);
  });
}

/** Serves an HTTP API on loopback as API Gateway does: routes and events (payload format 2.0). */
export async function startGateway(options: GatewayOptions): Promise<LoopbackServer> {
  const { api, hosts = [], proof, invoke } = options;
  const findRoute = createRouter(api.routes);

  async function respond(request: GatewayRequest, requestId: string): Promise<GatewayResponse> {
    const match = findRoute(request.method, request.rawPath);
    if (!match) return gatewayResponses.notFound;
    const { target: route, pathParameters } = match;
    const { routeKey, functionName, timeoutMilliseconds } = route;
    const facts = { apiId: api.logicalId, requestId, routeKey, pathParameters, time: new Date() };
    const event = buildRequestEvent(request, facts);
    const payload = JSON.stringify(buildFunctionEvent(event, request.body));
    return toResponse(await withTimeout(invoke(functionName, payload), timeoutMilliseconds));
  }

  async function handle(incoming: IncomingMessage, requestId: string): Promise<GatewayResponse> {
    if (proof !== undefined && incoming.url === proof.path) {
      incoming.resume();
      return json(200, JSON.stringify(proof.text));
    }
    const body = await readBody(incoming, maxBodyBytes);
    if (!body) return gatewayResponses.tooLarge;
    const request: GatewayRequest = {
      ...splitTarget(incoming.url ?? '/'),
      method: incoming.method ?? 'GET',
      httpVersion: incoming.httpVersion,
      rawHeaders: incoming.rawHeaders,
      body,
      sourceIp: incoming.socket.remoteAddress ?? '127.0.0.1',
      port: incoming.socket.localPort ?? options.port,
    };
    try {
      return await respond(request, requestId);
    } catch (error) {
      options.onError(error instanceof Error ? error : new Error(String(error)));
      return failureResponse(error);
    }
  }

  const listener: RequestListener = (incoming, response) => {
    const requestId = createRequestId();
    handle(incoming, requestId).then(
      (handled) => send(response, handled, requestId),
      // The client went away while it was sending.
      () => response.destroy(),
    );
  };
  // Tokens and signatures decide who may write, as behind API Gateway.
  const handler = hosts === 'all' ? listener : localRequests(listener, { hosts, acceptsFromForeignPages: 'reads' });
  const server = createServer({ maxHeaderSize: maxHeaderBytes }, handler);
  server.on('clientError', reject);
  return listenOnLoopback(server, options.port);
}
