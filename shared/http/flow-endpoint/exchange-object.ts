import type * as z from 'zod/mini';
import { timestamp } from '#shared/base/time/clock.ts';
import type { ExchangeRecord } from '#shared/domain/flow-endpoint/exchange-record.ts';
import type { Language } from '../language/language.ts';
import { explainExchange, explainFinding } from './explain.ts';
import type { exchangeListSchema } from './schemas.ts';

type ExchangeObject = z.infer<typeof exchangeListSchema>['data'][number];

/** Builds the API's exchange object. */
export function toExchangeObject(record: ExchangeRecord, language: Language): ExchangeObject {
  return {
    ...record,
    at: timestamp(record.at),
    explanation: explainExchange(record, language),
    findings: record.findings.map((finding) => ({ ...finding, explanation: explainFinding(finding, language) })),
  };
}
