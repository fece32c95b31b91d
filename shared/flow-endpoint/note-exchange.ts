import { describeError, log } from '#shared/base/logger.ts';
import { type Clock, within } from '#shared/base/time.ts';
import { successScreen } from '#shared/flow-json/document/document.ts';
import type { SentFlow } from '#shared/messages/sent-flow.ts';
import type { SentFlowStore } from '#shared/messages/sent-flow-store.ts';
import { recordStep } from '#shared/messages/track-sent-flow.ts';
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

interface ProgressContext {
  sentFlows: Pick<SentFlowStore, 'find' | 'advance'>;
  now: Clock;
}

/**
 * Records how far the contact came in a sent Flow. A failure goes to the log, as with the record of the exchange. The
 * contact's next exchange records the progress again.
 */
export async function noteProgress(
  sent: SentFlow,
  record: ExchangeRecord,
  respondBy: number,
  { sentFlows, now }: ProgressContext,
): Promise<void> {
  const step = { stage: 'opened', screen: screenSeen(record) } as const;
  await within(respondBy - now(), recordStep(sent, step, sentFlows)).catch((error) => {
    log('error', 'exchange.progress-not-noted', { ...describeError(error), flow: sent.flow });
  });
}

/** The screen that the phone shows after the exchange. The record contains only names that the Flow declares. */
function screenSeen({ screen, answered_screen }: ExchangeRecord): string | undefined {
  return [answered_screen, screen].find((name) => name !== null && name !== successScreen) ?? undefined;
}
