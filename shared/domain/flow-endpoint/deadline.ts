/** What was waited for took too long. */
export class OutOfTimeError extends Error {}

/** What comes of `work`, if it comes within `ms`. Throws {@link OutOfTimeError}; the work itself goes on. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OutOfTimeError(`Not done within ${ms} ms`)), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The upstream waits 10 s from the moment that it asks. What is left of them after its network's and the gateway's part
 * is shared out from the end: the answer leaves in time, the exchange is noted before, the answer encrypted before
 * that.
 */
const waitsMs = 10_000;
const networkMs = 750;
const recordingMs = 500;
const sealingMs = 250;

/** When each part of an exchange has to be done, in epoch milliseconds. */
export interface ExchangeDeadlines {
  /** The customer's endpoint. */
  endpointBy: number;
  /** All that makes the answer. */
  relayBy: number;
  /** The whole. */
  answerBy: number;
}

/**
 * @param receivedAt when the gateway took the request, in epoch milliseconds; a time that cannot be, as where its clock
 *   is another, counts as now
 */
export function exchangeDeadlines(receivedAt: number, now: number): ExchangeDeadlines {
  const elapsed = now - receivedAt;
  const start = elapsed >= 0 && elapsed < waitsMs ? receivedAt : now;
  const answerBy = start + waitsMs - networkMs;
  const relayBy = answerBy - recordingMs;
  return { answerBy, relayBy, endpointBy: relayBy - sealingMs };
}
