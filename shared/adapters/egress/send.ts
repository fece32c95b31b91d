import { type Mark, marked } from '#shared/base/mark.ts';
import type { PostRequest, PostResponse, Sender } from '#shared/domain/egress/sender.ts';
import type { AllowList } from './addresses.ts';
import { createAgents } from './agents.ts';
import { OutgoingError } from './errors.ts';
import { type ExchangeLimits, exchange, StaleConnectionError } from './exchange.ts';
import type { OwnAddresses } from './own-addresses.ts';
import { type Resolve, resolveName } from './resolve.ts';
import { checkUrl } from './url.ts';

export interface SenderSettings extends Partial<ExchangeLimits> {
  allowList: AllowList;
  /** Is never sent to. */
  isOwn: OwnAddresses;
  /** Goes along with every request. */
  mark: Mark;
  resolve?: Resolve;
  /** Milliseconds for name resolution, connection and TLS handshake together. */
  connectTimeoutMs?: number;
  /** Certificate authorities to trust in place of Node's own, as PEM. */
  caPem?: string;
}

/** Shorter than receivers keep idle connections, as far as they can be expected to. */
const idleMs = 4_000;

/** Of one receiver. */
const maxIdleConnections = 100;

/**
 * Sends to addresses that customers gave, and only to public ones (see `openConnection`) that are not our own. Follows
 * no redirects, uses no proxy, keeps idle connections for some seconds. There are as many connections as POSTs under
 * way: how many is for the caller to bound.
 */
export function createSender({
  allowList,
  isOwn,
  mark,
  resolve = resolveName,
  connectTimeoutMs = 3_000,
  maxResponseBytes = 64 * 1024,
  maxHeaderBytes = 16 * 1024,
  caPem,
}: SenderSettings): Sender {
  const connecting = { allowList, resolve, connectTimeoutMs, caPem };
  const pooled = createAgents(connecting, { keepAlive: true, timeout: idleMs, maxFreeSockets: maxIdleConnections });
  const fresh = createAgents(connecting, { keepAlive: false });
  const limits = { maxHeaderBytes, maxResponseBytes };

  async function send(request: PostRequest): Promise<PostResponse> {
    const fault = checkUrl(request.url, allowList, isOwn);
    if (fault)
      throw new OutgoingError(fault === 'forbidden-address' || fault === 'own-address' ? fault : 'invalid-url');
    const message = { ...request, headers: marked(request.headers, mark) };
    const signal = AbortSignal.timeout(request.timeoutMs);
    try {
      return await exchange(message, pooled, limits, signal);
    } catch (error) {
      // A function that was frozen between two invocations finds its idle connections dead.
      if (error instanceof StaleConnectionError) return exchange(message, fresh, limits, signal);
      throw error;
    }
  }

  return {
    async post(request) {
      const startedAt = performance.now();
      const duration = () => performance.now() - startedAt;
      try {
        const answer = await send(request);
        return { outcome: 'answered', ...answer, durationMs: duration() };
      } catch (error) {
        if (error instanceof OutgoingError)
          return { outcome: 'failed', error: error.errorClass, durationMs: duration() };
        throw error;
      }
    },
    close() {
      pooled.destroy();
      fresh.destroy();
    },
  };
}
