import { progressOf, type Step } from './progress.ts';
import type { SentFlow } from './sent-flow.ts';
import type { SentFlowStore } from './sent-flow-store.ts';

/** More attempts than there can be other writers at the same time. */
const maxTries = 8;

/** Records a step of a sent Flow and counts it. A repeated step counts once. */
export async function recordStep(
  sent: SentFlow,
  step: Step,
  sentFlows: Pick<SentFlowStore, 'advance' | 'find'>,
): Promise<void> {
  let current: SentFlow | undefined = sent;
  for (let tries = 0; current && tries < maxTries; tries++) {
    const progress = progressOf(current, step);
    if (!progress || (await sentFlows.advance(current, progress))) return;
    current = await sentFlows.find(sent.token_hash);
  }
  if (current) throw new Error('The record of a sent Flow kept changing');
}
