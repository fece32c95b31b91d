import { type ErrorCode, ServiceError } from '../errors/service-error.ts';
import { maxMediaBytes } from './limits.ts';

/** What is wrong with a file; see the error codes. */
export type MediaFault = 'unknown' | 'expired' | 'incomplete' | 'altered' | 'too-large';

/** A file that cannot be had, and that another request would not get either. */
export class MediaError extends ServiceError {
  readonly fault: MediaFault;

  constructor(fault: MediaFault) {
    super(`media.${fault}`, { values: { megabytes: maxMediaBytes / 2 ** 20 } });
    this.fault = fault;
  }
}

/** The file cannot be had before `until`. */
export function notYet(
  code: Extract<ErrorCode, 'media.not-ready' | 'media.failed-just-now'>,
  until: number,
  now: number,
): ServiceError {
  const seconds = Math.max(1, Math.ceil((until - now) / 1000));
  return new ServiceError(code, { values: { seconds }, retryAfterSeconds: seconds });
}
