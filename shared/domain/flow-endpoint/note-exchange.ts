import { describeError, log } from '#shared/base/log/logger.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import { within } from '#shared/base/time/within.ts';
import type { ExchangeRecord } from './exchange-record.ts';
import type { ExchangeStore } from './exchange-store.ts';

export interface NoteContext {
  exchanges: Pick<ExchangeStore, 'add'>;
  now: Clock;
}

/**
 * Records an exchange for the Flow's owner. The exchange matters more than its record: if the table does not accept the
 * record before `respondBy` (epoch milliseconds), it goes to the log instead.
 */
export async function noteExchange(
  flow: string,
  record: ExchangeRecord,
  respondBy: number,
  { exchanges, now }: NoteContext,
): Promise<void> {
  await within(respondBy - now(), exchanges.add(flow, record)).catch((error) => {
    const { findings, ...facts } = record;
    log('error', 'exchange.not-noted', { ...describeError(error), flow, ...facts, findings: findings.length });
  });
}
