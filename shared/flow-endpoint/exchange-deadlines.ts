/**
 * The upstream waits 10 s from its request. The network and the gateway take a part of that. The rest is allotted
 * backwards from the end: the response leaves in time, the exchange is recorded before that, and the response is
 * encrypted before that.
 */
export const upstreamWaitsMs = 10_000;
const networkMs = 750;
const recordingMs = 500;
const sealingMs = 250;

/** The deadline of each part of an exchange, in epoch milliseconds. */
export interface ExchangeDeadlines {
  /** The customer's endpoint has responded. */
  endpointBy: number;
  /** The response is complete and encrypted. */
  relayBy: number;
  /** The exchange is recorded and the response leaves. */
  respondBy: number;
}

/**
 * @param receivedAt when the gateway received the request, in epoch milliseconds; an impossible time, as from a clock
 *   that differs, counts as now
 */
export function exchangeDeadlines(receivedAt: number, now: number): ExchangeDeadlines {
  const elapsed = now - receivedAt;
  const start = elapsed >= 0 && elapsed < upstreamWaitsMs ? receivedAt : now;
  const respondBy = start + upstreamWaitsMs - networkMs;
  const relayBy = respondBy - recordingMs;
  return { respondBy, relayBy, endpointBy: relayBy - sealingMs };
}
