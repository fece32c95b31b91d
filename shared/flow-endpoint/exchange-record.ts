import type * as z from 'zod/mini';
import type { Explanation } from '#shared/base/upstream-error.ts';
import type { ErrorClass } from '#shared/egress/egress-error.ts';
import type { ResponseFinding } from '#shared/flow-json/response/endpoint-response.ts';
import type { exchangeListSchema } from './schema.ts';

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

type Shown = z.infer<typeof exchangeListSchema>['data'][number];

/** The facts of one exchange that the Flow's owner may see, without any content; the schema says what each is. */
export interface ExchangeRecord extends Omit<Shown, 'at' | 'fault' | 'explanation' | 'findings'> {
  /** Epoch milliseconds. */
  at: number;
  fault: Fault | null;
  findings: readonly ExchangeFinding[];
}

export interface ExchangeFinding extends Omit<Shown['findings'][number], 'code' | 'explanation'> {
  code: ResponseFinding['code'];
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
