import type { Explanation } from '../errors/upstream-error.ts';
import type { ExchangeFinding, ExchangeRecord } from './exchange-record.ts';

/** What is wrong with an exchange, as a code and values; `undefined` when nothing is. */
export function faultExplanation({ fault, status, duration_ms, findings }: ExchangeRecord): Explanation | undefined {
  if (fault === null) return undefined;
  const [finding] = findings;
  if (finding?.code === fault) return findingExplanation(finding);
  return { code: `exchange.${fault}`, values: { ...unknownPlace, status: status ?? '-', duration: duration_ms } };
}

/** The same for one finding. */
export function findingExplanation({ code, path, expected }: ExchangeFinding): Explanation {
  return {
    code: `exchange.${code}`,
    values: { path: path ?? unknownPlace.path, expected: expected ?? unknownPlace.expected },
  };
}

const unknownPlace = { path: '…', expected: '…' };
