import { log } from '#shared/base/logger.ts';
import type { PhoneNumber } from '../accounts/number.ts';
import type { Target } from '../accounts/subscriber.ts';
import { deliveryId } from '../deliveries/delivery-id.ts';
import type { FirstAttempt } from '../deliveries/message.ts';
import { type NotificationQueue, RejectedMessagesError } from '../deliveries/notification-queue.ts';
import type { PayloadStore } from '../deliveries/payload-store.ts';
import { statusFromUpstream } from '../flows/catalogue.ts';
import type { FlowStore } from '../flows/flow-store.ts';
import type { FlowEvent, NotificationEvent, UpstreamEvent } from './events.ts';
import { type SentFlowContext, sentFlowOf } from './sent-flow-of.ts';

export interface IngestionContext extends SentFlowContext {
  findNumber: (phoneNumberId: string) => Promise<PhoneNumber | undefined>;
  flows: Pick<FlowStore, 'followUpstreamStatus'>;
  payloads: PayloadStore;
  queue: NotificationQueue;
}

const targetsOf = (kind: NotificationEvent['kind']): readonly Target[] =>
  kind === 'call' ? ['calls_webhook'] : ['webhook', 'secondary_webhook'];

/**
 * Ingests events: queues notifications, one message for each target that has a URL, and applies Flow events to the
 * Flows. When it returns, all events are accepted; when it throws, the upstream has to send them again.
 */
export async function ingest(events: readonly UpstreamEvent[], context: IngestionContext): Promise<void> {
  const notifications = events.filter((event): event is NotificationEvent => 'notification' in event);
  const numbers = await findNumbers(notifications, context);
  const messages = await Promise.all(
    notifications.map((event) => messagesFor(event, numbers.get(event.phoneNumberId), context)),
  );
  await Promise.all([
    enqueue(messages.flat(), context),
    followFlows(
      events.filter((event) => event.kind === 'flow'),
      context,
    ),
  ]);
  logIgnored(events);
}

/** Reads each number once for all events of a request. */
async function findNumbers(events: readonly NotificationEvent[], { findNumber }: IngestionContext) {
  const ids = [...new Set(events.map(({ phoneNumberId }) => phoneNumberId))];
  const numbers = new Map(await Promise.all(ids.map(async (id) => [id, await findNumber(id)] as const)));
  for (const [id, number] of numbers) {
    if (!number?.active) log('warn', 'event.unknown-number', { phone_number_id: id });
  }
  return numbers;
}

/**
 * Messages that the queue rejects because of their content are sent again with a pointer to the bucket, so that they do
 * not block the others.
 */
async function enqueue(messages: readonly FirstAttempt[], { queue, payloads }: IngestionContext): Promise<void> {
  try {
    await queue.send(messages.map((message) => ({ message })));
  } catch (error) {
    if (!(error instanceof RejectedMessagesError)) throw error;
    const rejected = messages.filter((message) => error.rejected.includes(message));
    log('error', 'queue.refused', { count: rejected.length, code: error.code });
    const pointers = await Promise.all(
      rejected.map(async (message) => {
        const { number, id, payload } = message;
        return 'text' in payload
          ? { message: { ...message, payload: await payloads.keepInBucket(number, id, payload.text) } }
          : { message };
      }),
    );
    await queue.send(pointers);
  }
}

async function messagesFor(
  event: NotificationEvent,
  number: PhoneNumber | undefined,
  context: IngestionContext,
): Promise<FirstAttempt[]> {
  if (!number?.active) return [];
  const text = textOf(event.notification);
  if (text === undefined) {
    log('error', 'event.too-deep', { kind: event.kind, number: number.id });
    return [];
  }
  const sent_flow = await sentFlowOf(event, number, context);
  return Promise.all(
    targetsOf(event.kind)
      .filter((target) => number[target] !== undefined)
      .map(async (target): Promise<FirstAttempt> => {
        const id = deliveryId({ number: number.id, target, key: event.key, timestampMs: event.timestampMs });
        const payload = await context.payloads.keep(number.id, id, text);
        return {
          ...{ do: 'deliver', number: number.id, target, id, kind: event.kind, payload },
          created_at: context.now(),
          settings_version: number.settings_version ?? 0,
          ...(sent_flow && { sent_flow }),
        };
      }),
  );
}

/**
 * Returns `undefined` for a notification with thousands of nested levels, which cannot be written as JSON and which no
 * receiver could read.
 */
function textOf(notification: NotificationEvent['notification']): string | undefined {
  try {
    return JSON.stringify(notification);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Processes events in sequence: events of one request share one time, and only their order shows which is the last. */
async function followFlows(events: readonly FlowEvent[], context: IngestionContext): Promise<void> {
  for (const event of events) await followFlow(event, context);
}

async function followFlow(flowEvent: FlowEvent, { flows }: IngestionContext): Promise<void> {
  const { flowWaId, oldStatus, newStatus, timestampMs, event } = flowEvent;
  log('info', 'event.flow', { flow_event: event, wa_id: flowWaId });
  // An event without an old status reports the creation, and may arrive after later changes.
  if (newStatus === undefined || (oldStatus === undefined && newStatus === 'DRAFT')) return;
  await flows.followUpstreamStatus(flowWaId, statusFromUpstream(newStatus), timestampMs);
}

function logIgnored(events: readonly UpstreamEvent[]): void {
  const counts = new Map<string, number>();
  for (const event of events) {
    if (event.kind !== 'ignored') continue;
    const what = `${event.field ?? ''} ${event.reason}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  for (const [what, count] of counts) log('info', 'event.ignored', { what, count });
}
