import { isObject, own } from '#shared/base/json/json-object.ts';
import { type KnownErrors, UpstreamError, type UpstreamFailure } from '#shared/domain/errors/upstream-error.ts';

const defaultRetryAfterSeconds = 60;
/** The service never asks its own callers to wait longer. */
const longestWaitForCallerSeconds = 3_600;

/** The codes that mean the same for all of Graph's APIs. */
export const generalCodes = {
  rateLimit: new Set([4, 17, 32, 341, 613, 80007, 80008, 130429, 131048, 131056, 133016]),
  transient: new Set([1, 2, 131000, 131016, 131057]),
  credentials: new Set([0, 3, 10, 102, 104, 190, 131005]),
};

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
  knownErrors: KnownErrors = () => undefined,
): UpstreamError {
  const errorMember = own(body, 'error');
  const error: GraphErrorBody | undefined = isObject(errorMember) ? errorMember : undefined;
  const code = typeof error?.code === 'number' ? error.code : undefined;
  const subcode = typeof error?.error_subcode === 'number' ? error.error_subcode : undefined;
  const meant = code === undefined ? undefined : knownErrors({ rateLimited: status === 429, code, subcode });
  const failure =
    meant?.failure ?? (error ? classify(status, code, error.is_transient === true) : classifyStatus(status));
  const { best = `The messaging platform returned status ${status}.`, details } = humanTexts(error);
  return new UpstreamError(failure, best, {
    code,
    subcode,
    details,
    meaning: meant?.meaning,
    isTemporary: error?.is_transient === true || status === 429 || status >= 500,
    ...(failure === 'rate-limited' && { retryAfterSeconds: retryAfter(headers, meant?.retryAfterSeconds) }),
  });
}

function classify(status: number, code: number | undefined, transient: boolean): UpstreamFailure {
  if (code === undefined) return classifyStatus(status);
  if (generalCodes.credentials.has(code) || (code >= 200 && code < 300)) return 'credentials';
  if (generalCodes.rateLimit.has(code)) return 'rate-limited';
  if (generalCodes.transient.has(code) || transient || status >= 500) return 'unavailable';
  if (status === 429) return 'rate-limited';
  return 'rejected';
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
