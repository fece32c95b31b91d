import type { ErrorCode } from '#shared/base/service-error.ts';
import type { UpstreamFailure } from '#shared/base/upstream-error.ts';
import { type ErrorEntry, internalCode, type PublicCode, publicCode, upstreamCodes } from '#shared/http/error-entry.ts';
import type { Text } from '#shared/http/language.ts';
import { type Contract, needsToken } from './contract.ts';
import { errorCatalogue } from './error-catalogue.ts';
import { statusByFailure } from './error-response.ts';

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

/** A value of the error is shown as an ellipsis. */
const withEllipses = (text: string) => text.replace(/\{\w+ [^|}]+\|([^}]+)\}/g, '… $1').replace(/\{\w+\}/g, '…');

const ofService = (Object.entries(errors) as [ErrorCode, ErrorEntry][]).map(
  ([code, { status, en, saysWhen = false }]): PublicError => ({
    code: publicCode(code),
    statuses: [status],
    advice: adviceFor(code, status),
    saysWhen,
    text:
      code === 'validation-failed' ? '`errors` names each invalid field and what is wrong with it.' : withEllipses(en),
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
    text: typeof text === 'string' ? text : withEllipses(text.en),
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

/** Returns the codes that the responses of an operation can have in `x-error-code`, by status. */
export function errorCodesByStatus(contract: Contract): ReadonlyMap<number, readonly PublicCode[]> {
  const codes = new Map<number, Set<PublicCode>>();
  const add = (status: number, code: PublicCode) => codes.set(status, (codes.get(status) ?? new Set()).add(code));
  for (const code of codesOfService(contract)) add(errorCatalogue.errors[code].status, publicCode(code));
  for (const [status, code] of codesOfUpstream(contract)) add(status, code);
  add(500, internalCode);
  return new Map([...codes].map(([status, ofStatus]) => [status, [...ofStatus].sort()]));
}

/** The errors that the wrapper throws for such a contract, and those of the operation itself. */
function codesOfService(contract: Contract): ErrorCode[] {
  const { caller, path, query, body, takesFile, idempotency, throws = [] } = contract;
  const checksInput = needsToken(contract) || query !== undefined || body !== undefined;
  return [
    'loop-detected',
    ...codesOfCaller[caller],
    ...when(path.includes('{flow}') && needsToken(contract), 'flow.not-found'),
    ...when(path.includes('{target}'), 'target.not-found'),
    ...when(path.includes('{number}') && path.includes('{target}'), 'target.invalid-name'),
    ...when(checksInput, 'validation-failed'),
    ...when(body !== undefined, 'body.not-json', 'body.malformed', 'body.not-utf-8', 'body.too-deep'),
    ...when(body !== undefined, 'body.not-an-object'),
    ...when(body !== undefined || takesFile === true, 'body.encoded'),
    ...when(takesFile === true, 'body.malformed-form', 'body.malformed-part'),
    ...when(idempotency !== undefined, 'idempotency-key.in-progress'),
    ...when(idempotency === 'never-again', 'idempotency-key.outcome-unknown'),
    ...throws,
  ];
}

const when = (condition: boolean, ...codes: ErrorCode[]) => (condition ? codes : []);

const codesOfCaller: Readonly<Record<Contract['caller'], readonly ErrorCode[]>> = {
  public: [],
  upstream: [],
  user: ['unauthenticated'],
  'workspace-member': ['unauthenticated', 'workspace.not-found', 'workspace.not-member'],
  'workspace-owner': ['unauthenticated', 'workspace.not-found', 'workspace.not-member', 'workspace.not-owner'],
  'number-user': ['unauthenticated', 'number.not-found'],
  'number-owner': ['unauthenticated', 'number.not-found', 'workspace.not-owner'],
  'number-caller': ['unauthenticated', 'number.not-found', 'workspace.calling-disabled', 'number.calling-disabled'],
};

/** A request about a message or a call says if its outcome is unknown. What became of a Flow can be looked up. */
function codesOfUpstream(contract: Contract): [number, PublicCode][] {
  const { uses, method, caller } = contract;
  if (uses.upstream !== 'call') return [];
  const hasEffect = method !== 'GET' && (caller === 'number-user' || caller === 'number-caller');
  const failures = (Object.entries(statusByFailure) as [UpstreamFailure, number][]).filter(
    ([failure]) => failure !== 'forbidden' || isOfCalls(contract),
  );
  return [
    ...failures.map(([failure, status]): [number, PublicCode] => [status, upstreamCodes[failure]]),
    ...(hasEffect ? [502, 504] : []).map((status): [number, PublicCode] => [status, upstreamCodes['outcome-unknown']]),
  ];
}

/** Whether the upstream may reject the operation because calling is off, or not available, for the number. */
export const isOfCalls = ({ path, uses }: Contract) => uses.upstream === 'call' && path.includes('/calls/');
