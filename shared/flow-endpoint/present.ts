import type * as z from 'zod/mini';
import { timestamp } from '../clock.ts';
import type { Language } from '../language/language.ts';
import type { ExchangeRecord } from './exchange-record.ts';
import { explainExchange, explainFinding } from './explain.ts';
import type { exchangeListSchema } from './schemas.ts';

type ExchangeObject = z.infer<typeof exchangeListSchema>['data'][number];

/** The exchange as its owner is shown it. */
export function presentExchange(record: ExchangeRecord, language: Language): ExchangeObject {
  return {
    ...record,
    at: timestamp(record.at),
    explanation: explainExchange(record, language),
    findings: record.findings.map((finding) => ({ ...finding, explanation: explainFinding(finding, language) })),
  };
}
