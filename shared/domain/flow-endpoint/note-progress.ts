import { describeError, log } from '#shared/base/log/logger.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import { within } from '#shared/base/time/within.ts';
import { successScreen } from '#shared/flow-json/document/success-screen.ts';
import { recordStep } from '../sent-flows/record-step.ts';
import type { SentFlow } from '../sent-flows/sent-flow.ts';
import type { SentFlowStore } from '../sent-flows/sent-flow-store.ts';
import type { ExchangeRecord } from './exchange-record.ts';

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
