/** The largest event and the largest result of a function, by AWS Lambda's quotas. For results, AWS adds 100 bytes. */
export const maxRequestBytes = 6_291_456;
export const maxResponseBytes = 6_291_556;

/** The result of an invocation: what the function returned, or with `functionError` the JSON of its error. */
export interface InvokeResult {
  readonly payload: string;
  readonly functionError?: 'Unhandled';
}

/**
 * Runs a function with an event (JSON) and waits for its result.
 *
 * @throws {ThrottledError} if the function has reached its reserved concurrency.
 * @throws {RequestTooLargeError} if the event is larger than {@link maxRequestBytes}.
 * @throws {StoppedError} if the functions are stopped before it has a process.
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

/** The functions are being stopped, so the event was not handled. AWS has no such error. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';

  constructor() {
    super('The functions are being stopped.');
  }
}

/** An error that Lambda reports when the function itself could not. */
export const functionError = (errorType: string, errorMessage: string): InvokeResult => ({
  payload: JSON.stringify({ errorType, errorMessage }),
  functionError: 'Unhandled',
});
