import { type ErrorCode, ServiceError } from '#shared/base/service-error.ts';
import { maxMediaBytes } from './media-limits.ts';

/** Why a file is not available; see the error codes. */
export type MediaFault = 'unknown' | 'expired' | 'incomplete' | 'altered' | 'too-large';

/** A file is not available, and another request would fail in the same way. */
export class MediaError extends ServiceError {
  readonly fault: MediaFault;

  constructor(fault: MediaFault, maxBytes = maxMediaBytes) {
    super(`media.${fault}`, { values: { megabytes: maxBytes / 2 ** 20 } });
    this.fault = fault;
  }
}

/** The error for a file that is not available before `until`. */
export function notYet(
  code: Extract<ErrorCode, 'media.not-ready' | 'media.failed-just-now'>,
  until: number,
  now: number,
): ServiceError {
  const seconds = Math.max(1, Math.ceil((until - now) / 1000));
  return new ServiceError(code, { values: { seconds }, retryAfterSeconds: seconds });
}
