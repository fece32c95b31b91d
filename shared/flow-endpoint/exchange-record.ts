import type { Explanation } from '#shared/base/upstream-error.ts';
import type { ErrorClass } from '#shared/egress/egress-error.ts';
import type { ResponseFinding } from '#shared/flow-json/response/endpoint-response.ts';

/**
 * What is wrong with an exchange: the customer's endpoint sends no response or a bad one, or the request cannot be
 * made.
 */
export type Fault =
  | ErrorClass
  | ResponseFinding['code']
  | 'undecryptable'
  | 'unsigned'
  | 'invalid-flow-token'
  | 'status'
  | 'cannot-decrypt'
  | 'bad-signature'
  | 'too-large'
  | 'not-base64'
  | 'not-encrypted'
  | 'not-json'
  | 'too-deep'
  | 'not-active'
  | 'no-screen'
  | 'unknown-screen'
  | 'invalid-data';

/** The facts of one exchange that the Flow's owner may see, without any content. */
export interface ExchangeRecord {
  /** Epoch milliseconds. */
  at: number;
  /** The preview that made the exchange; `null` for a phone and for the upstream's health check. */
  preview: string | null;
  /** `null`, like the screens, when only the customer can decrypt the request. */
  action: string | null;
  /** The screen that the phone showed. */
  screen: string | null;
  /** The error code that the phone reports about an earlier response. */
  reported_error: string | null;
  /** The screen in the response of the customer's endpoint. */
  answered_screen: string | null;
  /** The response time of the customer's endpoint. */
  duration_ms: number;
  /** The status of its response; `null` without one. */
  status: number | null;
  bytes: number | null;
  /** Whether the phone got the response. */
  outcome: 'answered' | 'failed';
  /** Why the exchange failed or, if the response was relayed, the first problem that a phone may have with it. */
  fault: Fault | null;
  /** Everything in a relayed response that differs from what its Flow declares. */
  findings: readonly ExchangeFinding[];
}

export interface ExchangeFinding {
  code: ResponseFinding['code'];
  /** The screen or the member of the response that the finding is about; `null` if its name may be content. */
  path: string | null;
  /** The declared type, for `wrong-type`. */
  expected: string | null;
}

/** The explanation of an exchange's fault, as a code and values; `undefined` without a fault. */
export function faultExplanation({ fault, status, duration_ms, findings }: ExchangeRecord): Explanation | undefined {
  if (fault === null) return undefined;
  const [finding] = findings;
  if (finding?.code === fault) return findingExplanation(finding);
  return { code: `exchange.${fault}`, values: { ...unknownPlace, status: status ?? '-', duration: duration_ms } };
}

export function findingExplanation({ code, path, expected }: ExchangeFinding): Explanation {
  return {
    code: `exchange.${code}`,
    values: { path: path ?? unknownPlace.path, expected: expected ?? unknownPlace.expected },
  };
}

const unknownPlace = { path: '…', expected: '…' };
