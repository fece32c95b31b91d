import { isObject, own } from '#shared/base/json.ts';
import { UpstreamError, type UpstreamFailure } from '#shared/base/upstream-error.ts';
import { type ErrorSubject, findErrorCode } from './upstream-error-codes.ts';

const defaultRetryAfterSeconds = 60;
/** The service never asks its own callers to wait longer. */
const longestWaitForCallerSeconds = 3_600;

interface GraphErrorBody {
  message?: unknown;
  code?: unknown;
  error_subcode?: unknown;
  error_data?: unknown;
  is_transient?: unknown;
  error_user_msg?: unknown;
}

/**
 * Reads the error in a Graph response (Meta, "Handle errors"). Its code decides first, and the HTTP status only if the
 * code is inconclusive, because some rejections that concern the caller have the status 401.
 */
export function parseGraphError(
  status: number,
  body: unknown,
  headers: Headers,
  subject?: ErrorSubject,
): UpstreamError {
  const errorMember = own(body, 'error');
  const error: GraphErrorBody | undefined = isObject(errorMember) ? errorMember : undefined;
  const code = typeof error?.code === 'number' ? error.code : undefined;
  const subcode = typeof error?.error_subcode === 'number' ? error.error_subcode : undefined;
  const known = code === undefined ? undefined : findErrorCode({ code, subcode, rateLimited: status === 429 }, subject);
  const failure = known?.failure ?? classify(status, code, error?.is_transient === true);
  const { best = `The messaging platform returned status ${status}.`, details } = humanTexts(error);
  return new UpstreamError(failure, best, {
    code,
    subcode,
    details,
    meaning: subject && known?.meaning ? { code: `${subject}.${known.meaning}` } : undefined,
    isTemporary: error?.is_transient === true || status === 429 || status >= 500,
    ...(failure === 'rate-limited' && { retryAfterSeconds: retryAfter(headers, known?.retryAfterSeconds) }),
  });
}

/** What an error means whose code is not in the table. */
function classify(status: number, code: number | undefined, transient: boolean): UpstreamFailure {
  if (code === undefined) return classifyStatus(status);
  if (transient || status >= 500) return 'unavailable';
  return status === 429 ? 'rate-limited' : 'rejected';
}

function classifyStatus(status: number): UpstreamFailure {
  if (status === 429) return 'rate-limited';
  if (status === 401 || status === 403) return 'credentials';
  return status >= 400 && status < 500 ? 'rejected' : 'unavailable';
}

/**
 * The best text for people, and the details if they are another text. `error_user_msg` is written for people, and
 * `error_data.details` says what the general `message` does not.
 */
function humanTexts(error: GraphErrorBody | undefined): { best: string | undefined; details: string | undefined } {
  const data = error?.error_data;
  const text = typeof data === 'string' ? data : own(data, 'details');
  const details = isHumanText(text) ? text : undefined;
  const best = [error?.error_user_msg, details, error?.message].find(isHumanText);
  return { best, details: details === best ? undefined : details };
}

const isHumanText = (text: unknown): text is string => typeof text === 'string' && text.trim() !== '';

/**
 * Seconds to wait: `Retry-After`, else the estimate in the business use case header (minutes), else the limit's own.
 */
function retryAfter(headers: Headers, ofLimit = defaultRetryAfterSeconds): number {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  if (Number.isFinite(seconds) && seconds > 0) return Math.min(Math.ceil(seconds), longestWaitForCallerSeconds);
  const minutes = /"estimated_time_to_regain_access"\s*:\s*(\d+)/.exec(headers.get('x-business-use-case-usage') ?? '');
  const estimate = Number(minutes?.[1] ?? 0) * 60;
  return estimate > 0 ? Math.min(estimate, longestWaitForCallerSeconds) : ofLimit;
}
