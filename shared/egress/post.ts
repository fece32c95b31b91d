import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { BoundedMap } from '#shared/base/cache.ts';
import { addMark, type Mark } from '#shared/base/mark.ts';
import { type Clock, minuteMs } from '#shared/base/time.ts';
import { deadline, GuardedAgent, guardedConnection, tlsSessions } from './connect.ts';
import { classify, EgressError, type ErrorClass, StaleConnectionError } from './egress-error.ts';
import {
  type AllowList,
  checkUrl,
  type Destination,
  destinationOf,
  type OwnAddresses,
  type Resolve,
  resolveName,
} from './url-rules.ts';

/** The outcome of one POST. */
export type Attempt = (({ outcome: 'responded' } & PostResponse) | { outcome: 'failed'; error: ErrorClass }) & {
  /** How long it took from name resolution to the last byte, in milliseconds with fractions. */
  durationMs: number;
};

/** Sends requests to customers' URLs. */
export interface Sender {
  /** Never throws because of something that the other side does. */
  post(request: PostRequest): Promise<Attempt>;
  /** Ends all connections. */
  close(): void;
}

export interface SenderSettings extends Partial<PostSettings> {
  allowList: AllowList;
  /** The service's own addresses, to which the sender never sends. */
  isOwn: OwnAddresses;
  /** Sent with every request. */
  mark: Mark;
  resolve?: Resolve;
  /** Milliseconds for name resolution, connection and TLS handshake together. */
  connectTimeoutMs?: number;
  /** Milliseconds after which a connection serves no further POST. */
  maxConnectionAgeMs?: number;
  /** The number of idle connections to all receivers together. */
  maxIdleConnections?: number;
  /** The certificate authorities (PEM) to trust instead of Node's own. */
  caPem?: string;
}

/**
 * Idle connections close after this time, or earlier if the receiver announces that it closes them (`Keep-Alive`). Load
 * balancers keep them for a minute.
 */
const idleMs = 30_000;

/** Headers of every POST to a customer. Receivers rely on them, as they do on the signature. */
const commonHeaders = { 'content-type': 'application/json', 'user-agent': 'messaging-service' };

/** The maximum number of URLs whose check is remembered. */
const maxUrls = 1_000;

/**
 * Creates a sender for customers' URLs. It sends only to public addresses (see `openConnection`) that are not our own,
 * follows no redirects, uses no proxy, and keeps idle connections for half a minute. Every POST in progress has its own
 * connection, and the caller limits their number.
 */
export function createSender({
  allowList,
  isOwn,
  mark,
  resolve = resolveName,
  connectTimeoutMs = 3_000,
  maxConnectionAgeMs = 5 * minuteMs,
  // A process on Lambda has 1,024 file descriptors.
  maxIdleConnections = 256,
  maxResponseBytes = 64 * 1024,
  now = Date.now,
  caPem,
}: SenderSettings): Sender {
  const connecting = { allowList, resolve, connectTimeoutMs, sessions: tlsSessions(caPem) };
  const keepAlive = { idleMs, maxAgeMs: maxConnectionAgeMs, maxIdleConnections };
  const agents = {
    plain: new GuardedAgent(false, connecting, keepAlive),
    secure: new GuardedAgent(true, connecting, keepAlive),
  };
  const settings = { maxResponseBytes, now };

  const destinations = new BoundedMap<string, Destination>(maxUrls);

  function checkedDestination(url: string): Destination {
    const fault = checkUrl(url, allowList, isOwn);
    if (fault) throw new EgressError(fault === 'forbidden-address' || fault === 'own-address' ? fault : 'invalid-url');
    return destinationOf(url);
  }

  async function send({ url, headers, body, timeoutMs }: PostRequest): Promise<PostResponse> {
    const destination = destinations.getOrInsertComputed(url, checkedDestination);
    const all = addMark({ ...commonHeaders, ...headers }, mark);
    const message = { method: 'POST', destination, headers: all, body } as const;
    const { signal, cancel } = deadline(timeoutMs);
    try {
      return await exchange(message, { agent: destination.secure ? agents.secure : agents.plain }, settings, signal);
    } catch (error) {
      // A function that was frozen between two invocations finds its idle connections closed.
      if (!(error instanceof StaleConnectionError)) throw error;
      const createConnection = guardedConnection(destination.secure, connecting);
      return await exchange(message, { createConnection }, settings, signal);
    } finally {
      cancel();
    }
  }

  return {
    async post(request) {
      const startedAt = performance.now();
      const duration = () => ({ durationMs: performance.now() - startedAt });
      try {
        const response = await send(request);
        return { outcome: 'responded', ...response, ...duration() };
      } catch (error) {
        if (error instanceof EgressError) return { outcome: 'failed', error: error.errorClass, ...duration() };
        throw error;
      }
    },
    close() {
      agents.plain.destroy();
      agents.secure.destroy();
    },
  };
}

export interface PostRequest {
  url: string;
  /** The headers that belong to this message, with names in lower case. The sender adds those of every POST. */
  headers: Readonly<Record<string, string>>;
  body: Buffer | string;
  /** Milliseconds for everything, from name resolution to the last byte of the response. */
  timeoutMs: number;
}

export interface PostResponse {
  status: number;
  contentType?: string;
  /** How long the other side asks us to wait before the next request. */
  retryAfterSeconds?: number;
  /** The beginning of the body, byte for byte as received. */
  body: Buffer;
  /** Whether the response had more bytes than `body` holds. */
  truncated: boolean;
}

/** A request whose URL has passed `checkUrl`. */
export interface CheckedRequest extends Pick<PostRequest, 'headers'>, Partial<Pick<PostRequest, 'body'>> {
  method: 'GET' | 'POST';
  destination: Destination;
}

/** What makes or keeps the connection. */
export type Connecting = Pick<RequestOptions, 'agent' | 'createConnection'>;

export interface PostSettings {
  /** The maximum size of the response's body; the rest is not read. */
  maxResponseBytes: number;
  /** The time by which a date in `Retry-After` is read. */
  now: Clock;
}

/** The maximum size of the response's head, and of all interim responses before it; a larger one is an error. */
const maxHeaderBytes = 16 * 1024;

/** The bytes of an interim response in addition to its reason and its headers. */
const statusLineBytes = 'HTTP/1.1 102 \r\n\r\n'.length;

/**
 * Sends one request and reads its response, with any status: a redirect is not followed. The connection closes when
 * `signal` aborts.
 *
 * @throws EgressError
 */
export async function exchange(
  { method, destination, headers, body }: CheckedRequest,
  connecting: Connecting,
  { maxResponseBytes, now }: PostSettings,
  signal: AbortSignal,
): Promise<PostResponse> {
  const { host, hostname, port, path } = destination;
  const all = {
    host,
    ...headers,
    'accept-encoding': 'identity',
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
  };
  const call = request({
    ...{ method, hostname, port, path, ...connecting },
    maxHeaderSize: maxHeaderBytes,
    // Node sends a list of names and values as it is, and copies an object header by header.
    headers: Object.entries(all).flat(),
  });
  const nothingCame = watchIncoming(call);
  call.end(body);
  try {
    const response = await responseTo(call, signal);
    const { statusCode: status = 0, headers } = response;
    const read = await readBody(response, maxResponseBytes);
    // A body that ends with the connection seems complete even if the deadline closed the connection.
    signal.throwIfAborted();
    return { status, ...relevantHeaders(headers, now()), ...read };
  } catch (cause) {
    if (signal.aborted) throw new EgressError('timeout', { cause });
    const errorClass = classify(cause);
    const isStale = call.reusedSocket && nothingCame() && (errorClass === 'reset' || errorClass === 'closed-early');
    throw new (isStale ? StaleConnectionError : EgressError)(errorClass, { cause });
  } finally {
    // If the response arrives before the whole request is sent, there is nothing more to wait for.
    if (!call.writableFinished) call.destroy();
  }
}

/**
 * Always settles, although Node emits only `close` when the protocol is switched, and nothing before there is a
 * connection.
 */
function responseTo(call: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let responded = false;
  call.once('response', (response) => {
    responded = true;
    resolve(response);
  });
  let interimBytes = 0;
  // Node limits the size of each interim response (1xx), but not their number.
  call.on('information', ({ statusMessage, rawHeaders }) => {
    interimBytes += statusLineBytes + [statusMessage, ...rawHeaders].join(': ').length;
    if (interimBytes <= maxHeaderBytes) return;
    reject(new EgressError('headers-too-large'));
    call.destroy();
  });
  call.on('error', reject);
  // After a response, an error would be unused and still take a tenth of a POST's processor time.
  call.once('close', () => {
    if (!responded) reject(new EgressError('closed-early'));
  });
  signal.addEventListener(
    'abort',
    () => {
      reject(signal.reason);
      // Node's own option for signals takes as much time again as an error.
      call.destroy(signal.reason);
    },
    { once: true },
  );
  return promise;
}

/** Returns a function that tells whether the connection has received nothing since the request got it. */
function watchIncoming(call: ClientRequest): () => boolean {
  let before: number | undefined;
  call.once('socket', ({ bytesRead }) => {
    before = bytesRead;
  });
  return () => call.socket?.bytesRead === before;
}

/** What the headers of a response say that affects what the service does next. */
function relevantHeaders(headers: IncomingMessage['headers'], now: number) {
  const contentType = headers['content-type'];
  const retryAfterSeconds = parseRetryAfter(headers['retry-after'], now);
  return {
    ...(contentType !== undefined && { contentType }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

/** Reads the first bytes of a body, by events: an iterator takes up to a tenth more of a POST's processor time. */
function readBody(response: IncomingMessage, maxBytes: number): Promise<Pick<PostResponse, 'body' | 'truncated'>> {
  const { promise, resolve, reject } = Promise.withResolvers<Pick<PostResponse, 'body' | 'truncated'>>();
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = () => resolve({ body: Buffer.concat(chunks).subarray(0, maxBytes), truncated: length > maxBytes });
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= maxBytes) return;
    finish();
    response.destroy();
  });
  response.once('end', finish);
  response.on('error', reject);
  return promise;
}

/** Parses a `Retry-After` header (RFC 9110 §10.2.3): seconds, or a date. Anything else counts as a missing header. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // Checks the form of the date first, because Date.parse accepts almost anything.
  if (!/^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
