import { AwsError } from './aws-error.ts';
import { StaleConnectionError } from './post.ts';

/** The most requests that one call makes. */
export const maxAttempts = 3;

/** The codes with which AWS services reject what comes too fast, or before its first attempt has ended. */
const throttlingCodes: ReadonlySet<string> = new Set([
  'LimitExceededException',
  'PriorRequestNotComplete',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'SlowDown',
  'ThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  'TransactionInProgressException',
]);

/** Other codes, of services and of Node, that may be gone a moment later. */
const transientCodes: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'RequestTimeout',
  'RequestTimeoutException',
  'TimeoutError',
]);

/** The first pause is random, up to this many milliseconds; the second is up to twice as long. */
const pauseMs = 100;
const throttledPauseMs = 500;

const isThrottled = (error: Error) =>
  throttlingCodes.has(error.name) || (error instanceof AwsError && error.status === 429);

/** Whether the same request may succeed a moment later: no response, a fault of the service, or too many requests. */
export function isTransient(error: Error): boolean {
  if (error instanceof AwsError && error.status >= 500) return true;
  const code = 'code' in error ? String(error.code) : error.name;
  return isThrottled(error) || transientCodes.has(code);
}

/**
 * The milliseconds to wait after attempt number `attempt`, counted from 1. `random` is between 0 and 1. A function that
 * was frozen finds its connections closed, which says nothing about the service, so the second attempt is made at once.
 */
export function pauseAfter(attempt: number, error: Error, random: number): number {
  if (attempt === 1 && error instanceof StaleConnectionError) return 0;
  return random * (isThrottled(error) ? throttledPauseMs : pauseMs) * 2 ** (attempt - 1);
}
