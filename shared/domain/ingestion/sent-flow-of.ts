import type { Clock } from '#shared/base/clock.ts';
import { minuteMs } from '#shared/base/duration.ts';
import { own } from '#shared/base/json/json-object.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { describeError, log } from '#shared/base/logger.ts';
import type { PhoneNumber } from '../accounts/number.ts';
import { findSentFlow } from '../sent-flows/find-sent-flow.ts';
import { isOurs } from '../sent-flows/flow-token.ts';
import { recordStep } from '../sent-flows/record-step.ts';
import { referenceTo, type SentFlowReference } from '../sent-flows/sent-flow.ts';
import type { SentFlowStore } from '../sent-flows/sent-flow-store.ts';
import type { NotificationEvent } from './events.ts';

export interface SentFlowContext {
  sentFlows: Pick<SentFlowStore, 'find' | 'advance'>;
  now: Clock;
}

/** For this long after an event, it is worth another delivery by the upstream to find its sent Flow. */
const patienceMs = minuteMs;

/**
 * The sent Flow that a message completes, if it is the final response of a Flow that this service sent from the
 * workspace; it is counted as completed. A response without its reference is worth more than none: once the event is
 * older than a minute, a failure goes to the log only.
 *
 * @throws if the sent Flow cannot be read or counted, so that the upstream sends the event again
 */
export async function sentFlowOf(
  { notification, timestampMs }: NotificationEvent,
  { workspace }: PhoneNumber,
  { sentFlows, now }: SentFlowContext,
): Promise<SentFlowReference | undefined> {
  const [message] = 'messages' in notification ? notification.messages : [];
  const token = flowTokenOf(message);
  if (token === undefined || !isOurs(token)) return undefined;
  try {
    const sent = await findSentFlow(token, now(), sentFlows);
    if (sent?.workspace !== workspace) return undefined;
    const completed = { ...sent, message: sent.message ?? repliedTo(message) };
    await recordStep(sent, { stage: 'completed', message: completed.message }, sentFlows);
    return referenceTo(completed);
  } catch (error) {
    if (now() - timestampMs < patienceMs) throw error;
    log('error', 'event.sent-flow-not-found', describeError(error));
    return undefined;
  }
}

/** The id of the message that sent the Flow, which a lost response has left unknown until now. */
function repliedTo(message: unknown): string | undefined {
  const id = own(own(message, 'context'), 'id');
  return typeof id === 'string' ? id : undefined;
}

/** The flow token in the final response of a Flow (Meta's page "Receiving Flow responses"). */
function flowTokenOf(message: unknown): string | undefined {
  const response = own(own(own(message, 'interactive'), 'nfm_reply'), 'response_json');
  const token = typeof response === 'string' ? own(parseJson(response), 'flow_token') : undefined;
  return typeof token === 'string' ? token : undefined;
}
