import type { ErrorCode } from '#shared/base/service-error.ts';
import type { ErrorEntry } from '#shared/http/error-entry.ts';
import { type Contract, needsToken } from './contract.ts';
import { type ErrorAdvice, errorCatalogue } from './error-catalogue.ts';
import { internalCode, outcomeUnknownCode, type PublicCode, publicCode } from './error-response.ts';

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

const { errors, upstreamErrors, texts } = errorCatalogue;

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

const rejection =
  'The messaging platform rejected the request. `message` says why; `x-upstream-error-code` has its code.';

const ofUpstream = [...Map.groupBy(Object.values(upstreamErrors), ({ code }) => code)].map(
  ([code, alike]): PublicError => {
    const [{ advice, ...entry }] = alike as [(typeof alike)[number]];
    return {
      code,
      statuses: [...new Set(alike.map(({ status }) => status))],
      advice,
      saysWhen: code === 'rate_limited',
      text: 'text' in entry ? withEllipses(entry.text.en) : rejection,
    };
  },
);

const outcomeUnknown: PublicError = {
  code: outcomeUnknownCode,
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
export const publicErrors: readonly PublicError[] = [...ofService, ...ofUpstream, outcomeUnknown, internal];

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
  const { forbidden, ...failures } = upstreamErrors;
  const possible = [...Object.values(failures), ...(isOfCalls(contract) ? [forbidden] : [])];
  return [
    ...possible.map(({ status, code }): [number, PublicCode] => [status, code]),
    ...(hasEffect ? [502, 504] : []).map((status): [number, PublicCode] => [status, outcomeUnknownCode]),
  ];
}

/** Whether the upstream may reject the operation because calling is off, or not available, for the number. */
export const isOfCalls = ({ path, uses }: Contract) => uses.upstream === 'call' && path.includes('/calls/');
