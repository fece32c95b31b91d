import { BoundedMap } from '#shared/base/cache.ts';
import { addMark, type Mark } from '#shared/base/mark.ts';
import { minuteMs } from '#shared/base/time.ts';
import { type AllowList, type Resolve, resolveName } from './addresses.ts';
import { GuardedAgent, guardedConnection, tlsSessions } from './connect.ts';
import { deadline, EgressError, type ErrorClass } from './egress-error.ts';
import { type PostRequest, type PostResponse, type PostSettings, post, StaleConnectionError } from './post.ts';
import { checkUrl, type Destination, destinationOf, type OwnAddresses } from './url-rules.ts';

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
  maxHeaderBytes = 16 * 1024,
  now = Date.now,
  caPem,
}: SenderSettings): Sender {
  const connecting = { allowList, resolve, connectTimeoutMs, sessions: tlsSessions(caPem) };
  const keepAlive = { idleMs, maxAgeMs: maxConnectionAgeMs, maxIdleConnections };
  const agents = {
    plain: new GuardedAgent(false, connecting, keepAlive),
    secure: new GuardedAgent(true, connecting, keepAlive),
  };
  const settings = { maxHeaderBytes, maxResponseBytes, now };

  const destinations = new BoundedMap<string, Destination>(maxUrls);

  function checkedDestination(url: string): Destination {
    const fault = checkUrl(url, allowList, isOwn);
    if (fault) throw new EgressError(fault === 'forbidden-address' || fault === 'own-address' ? fault : 'invalid-url');
    return destinationOf(url);
  }

  async function send({ url, headers, body, timeoutMs }: PostRequest): Promise<PostResponse> {
    const destination = destinations.getOrInsertComputed(url, checkedDestination);
    const message = { destination, headers: addMark(headers, mark), body };
    const { signal, cancel } = deadline(timeoutMs);
    try {
      return await post(message, { agent: destination.secure ? agents.secure : agents.plain }, settings, signal);
    } catch (error) {
      // A function that was frozen between two invocations finds its idle connections closed.
      if (!(error instanceof StaleConnectionError)) throw error;
      const createConnection = guardedConnection(destination.secure, connecting);
      return await post(message, { createConnection }, settings, signal);
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
