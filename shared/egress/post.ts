import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';
import type { Clock } from '#shared/base/time.ts';
import { classify, EgressError } from './egress-error.ts';
import type { Destination } from './url-rules.ts';

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
export type CheckedRequest = Pick<PostRequest, 'headers' | 'body'> & { destination: Destination };

/** What makes or keeps the connection. */
export type Connecting = Pick<RequestOptions, 'agent' | 'createConnection'>;

export interface PostSettings {
  /** The maximum size of the response's head, and of all interim responses before it; a larger one is an error. */
  maxHeaderBytes: number;
  /** The maximum size of the response's body; the rest is not read. */
  maxResponseBytes: number;
  /** The time by which a date in `Retry-After` is read. */
  now: Clock;
}

/** Headers of every POST to a customer. Receivers rely on them, as they do on the signature. */
const commonHeaders = { 'content-type': 'application/json', 'user-agent': 'messaging-service' };

/** The bytes of an interim response in addition to its reason and its headers. */
const statusLineBytes = 'HTTP/1.1 102 \r\n\r\n'.length;

/** The request used an idle connection of the pool that the other side had already closed. */
export class StaleConnectionError extends EgressError {}

/**
 * Sends one POST and reads its response, with any status: a redirect is not followed. The connection closes when
 * `signal` aborts.
 *
 * @throws EgressError
 */
export async function post(
  { destination, headers, body }: CheckedRequest,
  connecting: Connecting,
  { maxHeaderBytes, maxResponseBytes, now }: PostSettings,
  signal: AbortSignal,
): Promise<PostResponse> {
  const { host, hostname, port, path } = destination;
  const all = {
    host,
    ...commonHeaders,
    ...headers,
    'accept-encoding': 'identity',
    'content-length': String(Buffer.byteLength(body)),
  };
  const call = request({
    ...{ hostname, port, path, ...connecting },
    method: 'POST',
    maxHeaderSize: maxHeaderBytes,
    // Node sends a list of names and values as it is, and copies an object header by header.
    headers: Object.entries(all).flat(),
  });
  const nothingCame = watchIncoming(call);
  call.end(body);
  try {
    const response = await responseTo(call, maxHeaderBytes, signal);
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
function responseTo(call: ClientRequest, maxHeaderBytes: number, signal: AbortSignal): Promise<IncomingMessage> {
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
function relevantHeaders(
  headers: IncomingMessage['headers'],
  now: number,
): Pick<PostResponse, 'contentType' | 'retryAfterSeconds'> {
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
