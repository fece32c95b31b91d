import type { ErrorCode } from '#shared/domain/errors/service-error.ts';
import type { UpstreamError, UpstreamFailure } from '#shared/domain/errors/upstream-error.ts';

/** Codes are in snake case for clients. */
type SnakeCase<Code extends string> = Code extends `${infer Start}${'.' | '-'}${infer Rest}`
  ? `${Start}_${SnakeCase<Rest>}`
  : Code;

/** The codes of failures of the upstream. `outcome-unknown` is one after which the request may have had its effect. */
export const upstreamCodes = {
  rejected: 'upstream_rejected',
  forbidden: 'upstream_rejected',
  'rate-limited': 'rate_limited',
  credentials: 'upstream_credentials_rejected',
  unavailable: 'upstream_unavailable',
  unreachable: 'upstream_unavailable',
  timeout: 'upstream_timeout',
  'broken-response': 'upstream_response_broken',
  'outcome-unknown': 'upstream_outcome_unknown',
} as const satisfies Record<UpstreamFailure | 'outcome-unknown', string>;

export const internalCode = 'internal_error';

export type PublicCode =
  | SnakeCase<ErrorCode>
  | (typeof upstreamCodes)[keyof typeof upstreamCodes]
  | typeof internalCode;

/** Returns the code of a response's `x-error-code`. It follows from the error's own code, so none can lack one. */
export const publicCode = (code: ErrorCode) => code.replaceAll(/[.-]/g, '_') as PublicCode;

export function publicCodeOfUpstream({ failure, meaning }: UpstreamError): PublicCode {
  return upstreamCodes[meaning?.code.endsWith('.outcome-unknown') ? 'outcome-unknown' : failure];
}
