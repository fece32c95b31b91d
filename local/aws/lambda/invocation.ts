/** What a function may be sent, and what it may answer, in bytes (AWS Lambda quotas; the answer's is what AWS enforces). */
export const maxRequestBytes = 6_291_456;
export const maxResponseBytes = 6_291_556;

/** What an invocation came to: the function's answer, or, with `functionError`, the JSON of its error. */
export interface InvokeResult {
  readonly payload: string;
  readonly functionError?: 'Unhandled';
}

/**
 * Runs a function with an event (JSON) and waits for its answer.
 *
 * @throws {ThrottledError} if the function already runs as many events as it may.
 * @throws {RequestTooLargeError} if the event is larger than {@link maxRequestBytes}.
 */
export type Invoke = (functionName: string, payload: string) => Promise<InvokeResult>;

/** HTTP 429 of AWS's Invoke. */
export class ThrottledError extends Error {
  override readonly name = 'TooManyRequestsException';

  constructor() {
    super('Rate Exceeded.');
  }
}

/** HTTP 413 of AWS's Invoke. */
export class RequestTooLargeError extends Error {
  override readonly name = 'RequestTooLargeException';

  constructor() {
    super(`Request must be smaller than ${maxRequestBytes} bytes for the InvokeFunction operation`);
  }
}

/** An error as Lambda itself reports it, when the function could not. */
export const functionError = (errorType: string, errorMessage: string): InvokeResult => ({
  payload: JSON.stringify({ errorType, errorMessage }),
  functionError: 'Unhandled',
});
