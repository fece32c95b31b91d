import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { PostRequest, PostResponse } from '#shared/domain/egress/sender.ts';
import type { Agents } from './agents.ts';
import { classify, OutgoingError } from './errors.ts';

/** The request's URL is one in which `checkUrl` finds no fault. */
export type ExchangeRequest = Omit<PostRequest, 'timeoutMs'>;

export interface ExchangeLimits {
  /** Of the head of the answer; more is an error. */
  maxHeaderBytes: number;
  /** Of the body of the answer; more is not read. */
  maxResponseBytes: number;
}

/** The request went into an idle connection of the pool that the other side had already ended. */
export class StaleConnectionError extends OutgoingError {}

/**
 * One POST and its answer, whatever its status is: a redirect is an answer like any other. The connection ends when
 * `signal` aborts.
 *
 * @throws OutgoingError
 */
export async function exchange(
  { url, headers, body }: ExchangeRequest,
  agents: Agents,
  { maxHeaderBytes, maxResponseBytes }: ExchangeLimits,
  signal: AbortSignal,
): Promise<PostResponse> {
  const { protocol } = new URL(url);
  const request = protocol === 'https:' ? httpsRequest : httpRequest;
  const call = request(url, {
    method: 'POST',
    agent: agents.of(protocol),
    maxHeaderSize: maxHeaderBytes,
    signal,
    headers: { ...headers, 'accept-encoding': 'identity', 'content-length': Buffer.byteLength(body) },
  });
  const nothingCame = watchIncoming(call);
  call.end(body);
  try {
    const response = await responseTo(call, signal);
    const { statusCode: status = 0, headers } = response;
    const read = await readBody(response, maxResponseBytes);
    // A body that ends with the connection seems complete when it is the deadline that ends it.
    signal.throwIfAborted();
    return { status, headers: senderHeaders(headers), ...read };
  } catch (cause) {
    if (signal.aborted) throw new OutgoingError('timeout', { cause });
    const errorClass = classify(cause);
    const isStale = call.reusedSocket && nothingCame() && (errorClass === 'reset' || errorClass === 'closed-early');
    throw new (isStale ? StaleConnectionError : OutgoingError)(errorClass, { cause });
  } finally {
    // An answer that comes before the whole request is sent is all there is to wait for.
    if (!call.writableFinished) call.destroy();
  }
}

/**
 * Settles in any case: Node emits nothing but `close` for a switch of protocols, and nothing at all before a
 * connection.
 */
function responseTo(call: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  call.once('response', resolve);
  call.on('error', reject);
  call.once('close', () => reject(new OutgoingError('closed-early')));
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise;
}

/** Tells whether the connection has brought nothing since the request got it. */
function watchIncoming(call: ClientRequest): () => boolean {
  let before: number | undefined;
  call.once('socket', ({ bytesRead }) => {
    before = bytesRead;
  });
  return () => call.socket?.bytesRead === before;
}

function senderHeaders(headers: IncomingMessage['headers']): PostResponse['headers'] {
  const { 'content-type': type, 'retry-after': retryAfter } = headers;
  return {
    ...(type !== undefined && { 'content-type': type }),
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  };
}

async function readBody(
  response: IncomingMessage,
  maxBytes: number,
): Promise<Pick<PostResponse, 'body' | 'truncated'>> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop ends the connection.
    if (length > maxBytes) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, maxBytes), truncated: length > maxBytes };
}
