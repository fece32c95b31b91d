import type { Explanation } from '../errors/upstream-error.ts';
import type { ExchangeFinding, ExchangeRecord } from './exchange-record.ts';

/** The explanation of an exchange's fault, as a code and values; `undefined` without a fault. */
export function faultExplanation({ fault, status, duration_ms, findings }: ExchangeRecord): Explanation | undefined {
  if (fault === null) return undefined;
  const [finding] = findings;
  if (finding?.code === fault) return findingExplanation(finding);
  return { code: `exchange.${fault}`, values: { ...unknownPlace, status: status ?? '-', duration: duration_ms } };
}

/** The explanation of one finding. */
export function findingExplanation({ code, path, expected }: ExchangeFinding): Explanation {
  return {
    code: `exchange.${code}`,
    values: { path: path ?? unknownPlace.path, expected: expected ?? unknownPlace.expected },
  };
}

const unknownPlace = { path: '…', expected: '…' };
