import { isObject, type JsonObject, own } from '#shared/base/json.ts';
import { UpstreamError, type UpstreamFailure } from '#shared/base/upstream-error.ts';

/** What an error code of the platform means for the service and for the client. */
export interface ErrorCode<Meaning extends string = string> {
  readonly code: number;
  /** The row is about all codes up to this one. */
  readonly upTo?: number;
  readonly failure: UpstreamFailure;
  /** Names the text for the client. */
  readonly meaning?: Meaning;
  readonly subcode?: number;
  /** The code has this meaning only if the upstream also says that there are too many requests. */
  readonly onlyIfRateLimited?: true;
  /** How long a limit lasts if the upstream does not say it. */
  readonly retryAfterSeconds?: number;
  /** The upstream sends the code in the `errors` of events, never in a response. */
  readonly onlyInEvents?: true;
}

/** What a request is about, if codes have a meaning of their own for it. */
export type ErrorSubject = 'message' | 'call' | 'media';

/** Limits that the upstream counts by the hour or longer do not end within a minute. */
const retryAfterSeconds = 3_600;

/** The platform makes a new template available within ten minutes. */
const templateSyncSeconds = 600;

const codesOf = (failure: UpstreamFailure, ...codes: number[]): ErrorCode[] => codes.map((code) => ({ code, failure }));

/**
 * The error codes of the platform. The first row that fits decides; the rows of a request's subject come before those of
 * any request.
 */
export const errorCodes = {
  /** Meta, "Handle errors", "Rate Limits" and support/error-codes. */
  any: [
    ...codesOf('credentials', 0, 3, 10, 102, 104, 190),
    { code: 200, upTo: 299, failure: 'credentials' },
    { code: 131005, failure: 'credentials' },
    ...codesOf('rate-limited', 4, 17, 341, 613, 80007, 80008, 130429, 133016),
    ...codesOf('unavailable', 1, 2, 131000, 131016, 131057),
  ],

  /**
   * Codes with which the upstream rejects messages or fails to deliver them. Meanings are from Meta's page
   * support/error-codes, as of September 11, 2026, below
   * https://developers.facebook.com/documentation/business-messaging/whatsapp/, except:
   * - groups/error-codes: 131020, 131041, 131207, 131208; 131215 has only its title from there ("not eligible"), and the
   *   conditions are those of the page groups
   * - direct-send/api-reference: 139200
   * - the section on the API for marketing messages of support/error-codes: 131055, 132018, 134100, 134101, 134102
   * - no source was found for 132008: its text rests on its neighbours, which are all about templates
   */
  message: [
    { code: 4, failure: 'rate-limited', meaning: 'too-many-requests' },
    { code: 33, failure: 'rejected', meaning: 'number-not-found' },
    { code: 100, failure: 'rejected', meaning: 'invalid-value' },
    { code: 368, failure: 'rejected', meaning: 'account-restricted' },
    { code: 80007, failure: 'rate-limited', meaning: 'too-many-requests' },
    { code: 130403, failure: 'rejected', meaning: 'contact-blocked' },
    { code: 130429, failure: 'rate-limited', meaning: 'sending-too-fast' },
    { code: 130472, failure: 'rejected', meaning: 'contact-in-experiment' },
    { code: 130497, failure: 'rejected', meaning: 'country-restricted' },
    { code: 131000, failure: 'unavailable', meaning: 'failed-on-the-platform' },
    { code: 131008, failure: 'rejected', meaning: 'missing-parameter' },
    { code: 131009, failure: 'rejected', meaning: 'invalid-value' },
    { code: 131016, failure: 'unavailable', meaning: 'platform-overloaded' },
    { code: 131020, failure: 'rejected', meaning: 'group-without-members' },
    { code: 131021, failure: 'rejected', meaning: 'to-is-sender' },
    { code: 131026, failure: 'rejected', meaning: 'undeliverable' },
    { code: 131030, failure: 'rejected', meaning: 'test-number' },
    { code: 131031, failure: 'rejected', meaning: 'account-restricted' },
    { code: 131037, failure: 'rejected', meaning: 'display-name-not-approved' },
    { code: 131041, failure: 'rejected', meaning: 'group-not-found' },
    { code: 131042, failure: 'rejected', meaning: 'payment-problem' },
    { code: 131044, failure: 'rejected', meaning: 'payment-problem' },
    { code: 131045, failure: 'rejected', meaning: 'registration-failed' },
    { code: 131047, failure: 'rejected', meaning: 'window-closed' },
    { code: 131048, failure: 'rate-limited', meaning: 'spam-limit', retryAfterSeconds },
    { code: 131049, failure: 'rejected', meaning: 'marketing-limit' },
    { code: 131050, failure: 'rejected', meaning: 'contact-stopped-marketing' },
    { code: 131051, failure: 'rejected', meaning: 'type-not-supported' },
    { code: 131052, failure: 'rejected', onlyInEvents: true, meaning: 'media-of-contact-not-fetched' },
    { code: 131053, failure: 'rejected', meaning: 'media-not-processed' },
    { code: 131055, failure: 'rejected', meaning: 'not-allowed-here' },
    { code: 131056, failure: 'rate-limited', meaning: 'pair-limit' },
    { code: 131057, failure: 'unavailable', meaning: 'number-in-maintenance' },
    { code: 131062, failure: 'rejected', meaning: 'user-id-not-supported' },
    { code: 131063, failure: 'rejected', meaning: 'marketing-switched-off' },
    { code: 131064, failure: 'rejected', meaning: 'template-classification' },
    { code: 131207, failure: 'rejected', meaning: 'group-suspended' },
    { code: 131208, failure: 'rate-limited', meaning: 'group-limit' },
    { code: 131215, failure: 'rejected', meaning: 'groups-not-available' },
    { code: 132000, failure: 'rejected', meaning: 'template-parameter-count' },
    { code: 132001, failure: 'rejected', meaning: 'template-not-found' },
    { code: 132005, failure: 'rejected', meaning: 'template-text-too-long' },
    { code: 132007, failure: 'rejected', meaning: 'template-policy' },
    { code: 132008, failure: 'rejected', meaning: 'template-rejected' },
    { code: 132012, failure: 'rejected', meaning: 'template-parameter-format' },
    { code: 132015, failure: 'rejected', meaning: 'template-paused' },
    { code: 132016, failure: 'rejected', meaning: 'template-disabled' },
    { code: 132018, failure: 'rejected', meaning: 'template-parameter-invalid' },
    { code: 132068, failure: 'rejected', meaning: 'flow-blocked' },
    { code: 132069, failure: 'rate-limited', meaning: 'flow-throttled', retryAfterSeconds },
    { code: 133010, failure: 'rejected', meaning: 'number-not-registered' },
    { code: 134011, failure: 'rejected', meaning: 'payment-terms' },
    { code: 134100, failure: 'rejected', meaning: 'marketing-only' },
    { code: 134101, failure: 'rate-limited', meaning: 'template-syncing', retryAfterSeconds: templateSyncSeconds },
    { code: 134102, failure: 'rejected', meaning: 'template-not-available' },
    { code: 135000, failure: 'rejected', meaning: 'invalid-request' },
    { code: 137000, failure: 'rejected', meaning: 'identity-changed' },
    { code: 138000, failure: 'rejected', meaning: 'calling-disabled' },
    { code: 138009, failure: 'rejected', meaning: 'permission-requests-used-up' },
    { code: 138017, failure: 'rejected', meaning: 'permission-is-permanent' },
    { code: 139000, failure: 'rejected', meaning: 'against-policies' },
    { code: 139200, failure: 'rejected', meaning: 'direct-send-blocked' },
  ],

  /**
   * Codes with which the upstream rejects or ends calls (Meta, "Troubleshoot WhatsApp Calling Errors"). Those that say
   * that the number cannot call are as forbidden as calls of a number for which calling is off here.
   */
  call: [
    { code: 4, subcode: 2390008, failure: 'rate-limited', meaning: 'permission-lookups-too-frequent' },
    { code: 100, failure: 'rejected', meaning: 'invalid-value' },
    { code: 613, failure: 'rate-limited', meaning: 'permission-lookups-too-frequent' },
    { code: 131009, failure: 'rejected', meaning: 'invalid-value' },
    { code: 131030, failure: 'rejected', meaning: 'test-number' },
    { code: 131044, failure: 'rejected', meaning: 'no-payment-method' },
    { code: 131055, failure: 'rejected', meaning: 'sip-enabled' },
    { code: 133010, failure: 'forbidden', meaning: 'number-not-registered' },
    { code: 138000, failure: 'forbidden', meaning: 'calling-disabled' },
    { code: 138001, failure: 'rejected', meaning: 'contact-not-callable' },
    { code: 138002, failure: 'rate-limited', meaning: 'too-many-calls-at-once' },
    { code: 138003, failure: 'rejected', meaning: 'already-in-call' },
    { code: 138004, failure: 'unavailable', meaning: 'connection-failed' },
    { code: 138005, failure: 'rate-limited', meaning: 'calls-started-too-fast' },
    { code: 138006, failure: 'rejected', meaning: 'no-permission' },
    { code: 138007, failure: 'unavailable', meaning: 'connection-timeout' },
    { code: 138008, failure: 'rejected', meaning: 'sdp-rejected' },
    { code: 138009, failure: 'rejected', meaning: 'permission-requests-used-up' },
    { code: 138012, failure: 'rejected', meaning: 'calls-used-up' },
    { code: 138013, onlyIfRateLimited: true, failure: 'rate-limited', meaning: 'permission-lookups-too-frequent' },
    { code: 138013, failure: 'rejected', meaning: 'country-not-supported' },
    { code: 138014, failure: 'forbidden', meaning: 'calling-suspended' },
    { code: 138015, failure: 'forbidden', meaning: 'calling-cannot-be-enabled' },
    { code: 138017, failure: 'rejected', meaning: 'permission-is-permanent' },
    { code: 138018, failure: 'forbidden', meaning: 'calling-cannot-be-enabled' },
    { code: 138019, failure: 'rejected', onlyInEvents: true, meaning: 'setup-failed' },
    { code: 138020, failure: 'rejected', onlyInEvents: true, meaning: 'audio-relay-failed' },
    { code: 138021, failure: 'rejected', onlyInEvents: true, meaning: 'no-audio-received' },
    { code: 138022, failure: 'rejected', onlyInEvents: true, meaning: 'no-audio-sent' },
    { code: 138023, failure: 'rejected', onlyInEvents: true, meaning: 'audio-never-connected' },
  ],

  /** Codes with which the upstream says that it did not take an upload, which may be sent again (Meta, "Error codes"). */
  media: [
    { code: 2, failure: 'unavailable', meaning: 'not-taken' },
    { code: 131000, failure: 'unavailable', meaning: 'not-taken' },
    { code: 131016, failure: 'unavailable', meaning: 'not-taken' },
    { code: 131057, failure: 'unavailable', meaning: 'not-taken' },
  ],
} as const satisfies Readonly<Record<ErrorSubject | 'any', readonly ErrorCode[]>>;

/** The meanings of the codes of messages; `messages/message-error-texts.ts` has the texts. */
export type MessageErrorMeaning = (typeof errorCodes)['message'][number]['meaning'];

/** The meanings of the codes of calls, and one that has no code; `calls/call-error-texts.ts` has the texts. */
export type CallErrorMeaning = (typeof errorCodes)['call'][number]['meaning'] | 'no-such-call';

/** Finds what an error code of a response means. `rateLimited`: the status says that there are too many requests. */
export function findErrorCode(
  { code, subcode, rateLimited }: { code: number; subcode: number | undefined; rateLimited: boolean },
  subject?: ErrorSubject,
): ErrorCode | undefined {
  const rows: readonly ErrorCode[] = [...(subject ? errorCodes[subject] : []), ...errorCodes.any];
  return rows.find(
    (row) =>
      (row.upTo === undefined ? code === row.code : code >= row.code && code <= row.upTo) &&
      (row.subcode ?? subcode) === subcode &&
      (rateLimited || !row.onlyIfRateLimited),
  );
}

const defaultRetryAfterSeconds = 60;
/** The service never asks its own callers to wait longer. */
const longestWaitForCallerSeconds = 3_600;

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
  const error = isObject(errorMember) ? errorMember : undefined;
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
function humanTexts(error: JsonObject | undefined): { best: string | undefined; details: string | undefined } {
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
