import { forEachWithin } from '#shared/base/concurrency.ts';
import { isText, own, parseJson } from '#shared/base/json.ts';
import { describeError, log } from '#shared/base/logger.ts';
import type { Clock } from '#shared/base/time.ts';
import { statusFromUpstream } from '#shared/flows/catalogue.ts';
import { type FollowContext, followStatus } from '#shared/flows/follow-status.ts';
import { isOurs } from '#shared/messages/flow-message.ts';
import { referenceTo, type SentFlow, type SentFlowReference } from '#shared/messages/sent-flow.ts';
import type { SentFlowStore } from '#shared/messages/sent-flow-store.ts';
import { findSentFlow, findSentFlowOfMessage, recordStep } from '#shared/messages/track-sent-flow.ts';
import type { DeliverySettings } from '#shared/webhooks/subscriber.ts';
import type { KnownChange, NotificationEvent } from './event-items.ts';
import { eventTime, idOf, readId } from './normalise.ts';

/** An event of a Flow, with the upstream's names of statuses. */
export interface FlowEvent {
  readonly kind: 'flow';
  readonly flowWaId: string;
  readonly event: string;
  readonly oldStatus?: string;
  readonly newStatus?: string;
  /** Epoch milliseconds. */
  readonly timestampMs: number;
}

export function readFlow({ value, entry, receivedAt }: KnownChange): FlowEvent | undefined {
  const { event, old_status: oldStatus, new_status: newStatus } = value;
  const flowWaId = readId(value.flow_id);
  if (flowWaId === undefined || !isText(event)) return undefined;
  const statuses = { ...(isText(oldStatus) && { oldStatus }), ...(isText(newStatus) && { newStatus }) };
  return { kind: 'flow', flowWaId, event, ...statuses, timestampMs: eventTime([entry.time], receivedAt) };
}

export interface StatusContext extends FollowContext {
  /**
   * Whether the app that signed the request is that of this workspace; without a workspace, that of the deployment.
   * Others may not speak for it.
   */
  isFor: (workspace: string | undefined) => Promise<boolean>;
}

/** Processes events in sequence: events of one request share one time, and only their order shows which is the last. */
export async function followFlows(events: readonly FlowEvent[], context: StatusContext): Promise<void> {
  for (const event of events) await followFlow(event, context);
}

async function followFlow(flowEvent: FlowEvent, { flows, isFor, ...context }: StatusContext): Promise<void> {
  const { flowWaId, oldStatus, newStatus, timestampMs, event } = flowEvent;
  log('info', 'event.flow', { flow_event: event, wa_id: flowWaId });
  // An event without an old status reports the creation, and may arrive after later changes.
  if (newStatus === undefined || (oldStatus === undefined && newStatus === 'DRAFT')) return;
  const findByUpstreamId = async (waId: string) => {
    const flow = await flows.findByUpstreamId(waId);
    if (!flow || (await isFor(flow.workspace))) return flow;
    log('warn', 'event.wrong-app', { wa_id: waId, workspace: flow.workspace });
    return undefined;
  };
  const flowsOfApp = { ...flows, findByUpstreamId };
  await followStatus(flowWaId, statusFromUpstream(newStatus), timestampMs, { ...context, flows: flowsOfApp });
}

export interface CompletionContext {
  sentFlows: Pick<SentFlowStore, 'find' | 'findByMessage' | 'advance'>;
  now: Clock;
}

/** A final response of a Flow that this service sent. */
interface Completion {
  sent: SentFlow;
  /** The id of the message that sent the Flow. */
  message: string | undefined;
}

/** The final responses in a request of the upstream. */
export interface Completions {
  found: ReadonlyMap<NotificationEvent, Completion>;
  /** Why the lookup of others failed. */
  errors: readonly unknown[];
}

/** How many records are read or written in parallel: a request may hold a thousand final responses. */
const maxAtOnce = 16;

/** How long the notifications of a request wait for the records of its final responses. */
const findMs = 3_000;

/** How long the response waits until the final responses are counted. */
const countMs = 5_000;

/**
 * Finds what the final responses among these events complete. A read that fails is repeated once; after that, the
 * notification is worth more than its reference.
 */
export async function findCompletions(
  events: readonly NotificationEvent[],
  numbers: ReadonlyMap<string, DeliverySettings | undefined>,
  { sentFlows, now }: CompletionContext,
): Promise<Completions> {
  const found = new Map<NotificationEvent, Completion>();
  const responses = events.flatMap((event) => {
    const message = messageIn(event);
    const response = finalResponseOf(message);
    const number = numbers.get(event.phoneNumberId)?.subscriber;
    return response !== undefined && number?.active ? [{ event, message, response, number }] : [];
  });
  // Hardly any request has a final response.
  if (responses.length === 0) return { found, errors: [] };
  const failed = new Set(responses);
  const errors = await forEachWithin(findMs, responses, maxAtOnce, async (one) => {
    const { event, message, response, number } = one;
    const find = () => findSent(response, message, { sentFlows, now });
    const sent = await find().catch(find);
    failed.delete(one);
    if (sent?.workspace !== number.workspace) return;
    found.set(event, { sent, message: sent.message ?? repliedTo(message) });
  });
  for (const subscriber of new Set(Array.from(failed, ({ number }) => number.id))) {
    log('error', 'event.sent-flow-not-found', { subscriber, ...describeError(errors[0]) });
  }
  return { found, errors };
}

/** What the receiver learns about the sent Flow that this event completes, if it completes one. */
export function completedBy(event: NotificationEvent, { found }: Completions): SentFlowReference | undefined {
  const completion = found.get(event);
  return completion && referenceTo({ ...completion.sent, message: completion.message });
}

/**
 * Counts the sent Flows that these final responses complete.
 * @throws if not all of them were found and counted, so that the upstream sends the events again
 */
export async function countCompletions({ found, errors }: Completions, context: CompletionContext): Promise<void> {
  if (found.size === 0 && errors.length === 0) return;
  const failed = await forEachWithin(countMs, found.values(), maxAtOnce, ({ sent, message }) =>
    recordStep(sent, { stage: 'completed', message }, context.sentFlows),
  );
  for (const error of [...errors, ...failed]) throw error;
}

const messageIn = ({ notification }: NotificationEvent): unknown =>
  'messages' in notification ? notification.messages[0] : undefined;

/** The id of the message that sent the Flow. It was unknown until now if the upstream's response was lost. */
function repliedTo(message: unknown): string | undefined {
  const id = own(own(message, 'context'), 'id');
  return idOf(id);
}

/**
 * Finds the sent Flow of a final response by its flow token or, without one of ours, by the message that it replies to:
 * the endpoint of a Flow may end it without the token.
 */
async function findSent(
  response: string,
  message: unknown,
  { sentFlows, now }: CompletionContext,
): Promise<SentFlow | undefined> {
  const token = own(parseJson(response), 'flow_token');
  if (typeof token === 'string' && isOurs(token)) return findSentFlow(token, now(), sentFlows);
  const sender = repliedTo(message);
  return sender === undefined ? undefined : findSentFlowOfMessage(sender, now(), sentFlows);
}

/** The final response of a Flow, as JSON text (Meta's page "Receiving Flow responses"). */
function finalResponseOf(message: unknown): string | undefined {
  const response = own(own(own(message, 'interactive'), 'nfm_reply'), 'response_json');
  return typeof response === 'string' ? response : undefined;
}
