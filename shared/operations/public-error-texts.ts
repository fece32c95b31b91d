import type { ErrorCode } from '#shared/base/service-error.ts';
import type { UpstreamFailure } from '#shared/base/upstream-error.ts';
import { type ErrorEntry, internalCode, type PublicCode, publicCode, upstreamCodes } from '#shared/http/error-entry.ts';
import type { Text } from '#shared/http/language.ts';
import { adviceFor, type ErrorAdvice } from './error-advice.ts';
import { errorCatalogue } from './error-catalogue.ts';
import { statusByFailure } from './error-response.ts';

/** An error as clients see it. */
export interface PublicError {
  code: PublicCode;
  statuses: readonly number[];
  advice: ErrorAdvice;
  /** Whether the response says in `Retry-After` when to send the request again. */
  saysWhen: boolean;
  /** The text of the message, or what it says if the upstream or the fields decide. */
  text: string;
}

const { errors, texts } = errorCatalogue;

const ofService = (Object.entries(errors) as [ErrorCode, ErrorEntry][]).map(
  ([code, { status, text, saysWhen = false }]): PublicError => ({
    code: publicCode(code),
    statuses: [status],
    advice: adviceFor(code, status),
    saysWhen,
    text: code === 'validation-failed' ? '`errors` names each invalid field and what is wrong with it.' : text.en,
  }),
);

const rejected = {
  text: 'The messaging platform rejected the request. `message` says why; `x-upstream-error-code` has its code.',
  advice: 'change',
} as const;

const upstreamTexts: Readonly<Record<UpstreamFailure, { text: Text | string; advice: ErrorAdvice }>> = {
  rejected,
  forbidden: rejected,
  'rate-limited': { text: texts.upstreamRateLimited, advice: 'wait' },
  credentials: { text: texts.upstreamCredentials, advice: 'wait' },
  unavailable: { text: texts.upstreamUnavailable, advice: 'wait' },
  unreachable: { text: texts.upstreamUnavailable, advice: 'wait' },
  timeout: { text: texts.upstreamTimeout, advice: 'check' },
  'broken-response': { text: texts.upstreamResponseBroken, advice: 'check' },
};

const ofUpstream = (Object.entries(upstreamTexts) as [UpstreamFailure, (typeof upstreamTexts)[UpstreamFailure]][]).map(
  ([failure, { text, advice }]): PublicError => ({
    code: upstreamCodes[failure],
    statuses: statusesOf(upstreamCodes[failure]),
    advice,
    saysWhen: failure === 'rate-limited',
    text: typeof text === 'string' ? text : text.en,
  }),
);

function statusesOf(code: PublicCode): number[] {
  const failures = Object.entries(statusByFailure) as [UpstreamFailure, number][];
  return [...new Set(failures.flatMap(([failure, status]) => (upstreamCodes[failure] === code ? [status] : [])))];
}

const outcomeUnknown: PublicError = {
  code: upstreamCodes['outcome-unknown'],
  statuses: [502, 504],
  advice: 'check',
  saysWhen: false,
  text: 'The messaging platform did not respond properly, so it may have sent the message, changed the call, or kept the file.',
};

const internal: PublicError = {
  code: internalCode,
  statuses: [500],
  advice: 'check',
  saysWhen: false,
  text: texts.internal.en,
};

/** Every error of the service, once each. */
export const publicErrors: readonly PublicError[] = [
  ...new Map([...ofService, ...ofUpstream, outcomeUnknown, internal].map((error) => [error.code, error])).values(),
];

/** The codes whose responses say in `Retry-After` when to send the request again. */
export const codesWithRetryAfter: ReadonlySet<PublicCode> = new Set(
  publicErrors.filter(({ saysWhen }) => saysWhen).map(({ code }) => code),
);
