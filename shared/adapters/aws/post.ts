import { type Agent, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** Where requests go: an endpoint, and the pool of connections to it. */
export interface Destination {
  protocol: string;
  hostname: string;
  port: number | string;
  path: string;
  agent: Agent;
}

export interface Timeouts {
  /** Milliseconds for a new connection. */
  connectMs: number;
  /** Milliseconds for the whole exchange, connecting included. */
  requestMs: number;
}

export interface PostResponse {
  status: number;
  body: string;
}

/** The connection was kept for further requests, and the service had closed it. */
export class StaleConnectionError extends Error {
  readonly code = 'ECONNRESET';
}

/**
 * Sends a request to an AWS service and reads the whole response. `headers` are names and values in turn: Node sends
 * such a list as it is, and copies an object header by header.
 */
export function post(
  destination: Destination,
  headers: readonly string[],
  body: string,
  { connectMs, requestMs }: Timeouts,
): Promise<PostResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<PostResponse>();
  const send = destination.protocol === 'https:' ? requestHttps : requestHttp;
  const request = send({
    ...destination,
    method: 'POST',
    headers: [...headers, 'content-length', String(Buffer.byteLength(body))],
  });
  const end = (timeoutMs: number) => request.destroy(timeoutError(destination, timeoutMs));
  const timer = setTimeout(end, requestMs, requestMs);
  let connecting: NodeJS.Timeout | undefined;
  let isComplete = false;
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    connecting = setTimeout(end, connectMs, connectMs);
    socket.once('connect', () => clearTimeout(connecting));
  });
  request.once('response', (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.once('end', () => {
      isComplete = true;
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
    });
  });
  request.on('error', (cause: NodeJS.ErrnoException) => {
    const isStale = request.reusedSocket && (cause.code === 'ECONNRESET' || cause.code === 'EPIPE');
    reject(isStale ? new StaleConnectionError(`${destination.hostname} had closed the connection`, { cause }) : cause);
  });
  request.once('close', () => {
    clearTimeout(timer);
    clearTimeout(connecting);
    // Node emits nothing else when the service switches to another protocol. After a response, an error would be unused
    // and still take a twentieth of a notification's processor time.
    if (!isComplete) reject(endedEarly(destination));
  });
  request.end(body);
  return promise;
}

function endedEarly({ hostname }: Destination): Error {
  return Object.assign(new Error(`${hostname} ended the exchange early`), { code: 'ECONNRESET' });
}

function timeoutError({ hostname }: Destination, timeoutMs: number): Error {
  return Object.assign(new Error(`${hostname} did not respond within ${timeoutMs} ms`), { name: 'TimeoutError' });
}
