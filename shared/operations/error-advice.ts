import type { ErrorCode } from '#shared/base/service-error.ts';

/** What a client does with a request that got an error. */
export type ErrorAdvice =
  /** The same request would get the same error: change what the message names first. */
  | 'change'
  /** Nothing was done, and the same request can succeed later. */
  | 'wait'
  /** The request may have had its effect: find out before sending it again. */
  | 'check';

/** Statuses of transient errors. */
const transient = new Set([409, 429, 502, 503]);

const exceptions: Partial<Record<ErrorCode, ErrorAdvice>> = {
  // The request names the URL that it is for.
  'target.other-url': 'change',
  // The platform sends the same file again.
  'media.altered': 'change',
  'media.too-large': 'change',
  'idempotency-key.outcome-unknown': 'check',
  'media-upload.outcome-unknown': 'check',
};

/** Returns the advice for an error of the service. */
export const adviceFor = (code: ErrorCode, status: number): ErrorAdvice =>
  exceptions[code] ?? (transient.has(status) ? 'wait' : 'change');
