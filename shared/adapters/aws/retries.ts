import { AwsError } from './aws-error.ts';

/** The most requests that one call makes. */
export const maxAttempts = 3;

/** The codes with which AWS services reject what comes too fast. */
const throttlingCodes: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'RequestThrottledException',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
]);

/** The first pause is random, up to this many milliseconds; the second is up to twice as long. */
const pauseMs = 100;
const throttledPauseMs = 500;

/** Whether the same request may succeed a moment later: no response, a fault of the service, or too many requests. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof AwsError)) return true;
  return error.status >= 500 || throttlingCodes.has(error.name);
}

/** The milliseconds to wait after attempt number `attempt`, counted from 1. `random` is between 0 and 1. */
export function pauseAfter(attempt: number, error: unknown, random: number): number {
  const isThrottled = error instanceof AwsError && throttlingCodes.has(error.name);
  return random * (isThrottled ? throttledPauseMs : pauseMs) * 2 ** (attempt - 1);
}
