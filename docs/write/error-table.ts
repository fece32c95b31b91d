import { operations } from '#functions/operations.ts';
import { callErrorTexts } from '#shared/calls/call-error-texts.ts';
import { type ErrorCode, errorCodes } from '#shared/graph/graph-error.ts';
import type { Text } from '#shared/http/language.ts';
import { messageErrorTexts } from '#shared/messages/message-error-texts.ts';
import { type ErrorAdvice, upstreamErrors } from '#shared/operations/error-catalogue.ts';
import type { PublicCode } from '#shared/operations/error-response.ts';
import { errorCodesByStatus, publicErrors } from '#shared/operations/public-errors.ts';
import { type GatewayResponse, gatewayResponses } from './gateway-responses.ts';

/** What becomes of the request's `Idempotency-Key`. */
export type KeyAfterError =
  /** The operations that answer the code take no key. */
  | 'no-key'
  /** A further request with the key runs. */
  | 'free'
  /** Further requests with the key get this response. */
  | 'kept'
  /** Another request with the key is running; later, the key has its response. */
  | 'in-progress'
  /** A message, call or file is not sent again with the key. A Flow is looked up; another preview is created. */
  | 'unknown';

export interface ErrorRow {
  code: PublicCode;
  statuses: readonly number[];
  advice: ErrorAdvice;
  key: KeyAfterError;
  text: string;
}

export interface PlatformRow {
  code: number;
  /** The subcode or the status of the platform that tells two meanings of the code apart. */
  qualifier: number | undefined;
  of: 'messages' | 'calls';
  /** Undefined if the code comes in events only. */
  status: number | undefined;
  errorCode: PublicCode;
  advice: ErrorAdvice;
  text: string;
}

/** Everything that a client can know about errors. The page shows it, and a test client knows nothing else. */
export interface ErrorTable {
  service: readonly ErrorRow[];
  platform: readonly PlatformRow[];
  gateway: readonly GatewayResponse[];
}

const codesWithKey = new Set(
  operations
    .filter(({ idempotency }) => idempotency !== undefined)
    .flatMap((contract) => [...errorCodesByStatus(contract).values()].flat()),
);

function keyAfter(code: PublicCode, advice: ErrorAdvice): KeyAfterError {
  if (!codesWithKey.has(code)) return 'no-key';
  if (code === 'idempotency_key_in_progress') return 'in-progress';
  if (code === upstreamErrors.rejected.code) return 'kept';
  return advice === 'check' ? 'unknown' : 'free';
}

function platformRow<M extends string>(
  of: PlatformRow['of'],
  error: ErrorCode<M> & { meaning: M },
  texts: Readonly<Record<M, Text>>,
): PlatformRow {
  const { code, subcode, onlyIfRateLimited, failure, meaning, onlyInEvents } = error;
  const { status, code: errorCode, advice } = upstreamErrors[failure];
  return {
    code,
    qualifier: subcode ?? (onlyIfRateLimited && 429),
    of,
    status: onlyInEvents ? undefined : status,
    errorCode,
    advice,
    text: texts[meaning].en,
  };
}

const byName = <Row extends { code: string }>(a: Row, b: Row) => (a.code < b.code ? -1 : 1);

export const errorTable: ErrorTable = {
  service: publicErrors.map((error) => ({ ...error, key: keyAfter(error.code, error.advice) })).toSorted(byName),
  platform: [
    ...errorCodes.message.map((error) => platformRow('messages', error, messageErrorTexts)),
    ...errorCodes.call.map((error) => platformRow('calls', error, callErrorTexts)),
  ].toSorted((a, b) => a.code - b.code),
  gateway: gatewayResponses,
};
