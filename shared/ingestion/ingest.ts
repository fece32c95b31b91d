import { writeJson } from '#shared/base/json.ts';
import { log } from '#shared/base/logger.ts';
import { type FirstAttempt, firstAttempts, idsOf, type PayloadStore } from '#shared/delivery/notification.ts';
import { type NotificationQueue, RejectedMessagesError } from '#shared/delivery/notification-queue-store.ts';
import { statusFromUpstream } from '#shared/flows/catalogue.ts';
import { type FollowContext, followStatus } from '#shared/flows/follow-status.ts';
import type { SentFlowReference } from '#shared/messages/sent-flow.ts';
import { eventName, wants } from '#shared/webhooks/event-names.ts';
import { metaBody } from '#shared/webhooks/meta-format.ts';
import type { DeliverySettings } from '#shared/webhooks/subscriber.ts';
import type { TargetStore } from '#shared/webhooks/subscriber-store.ts';
import type { NotificationEvent } from './event-items.ts';
import type { EventNoter } from './event-note-store.ts';
import {
  type AccountContext,
  type Accounts,
  findAccounts,
  originOf,
  subscribersOf,
  targetsFor,
  workspaceFields,
} from './event-routing.ts';
import { accountsOf, type FieldEvent, type FlowEvent, type UpstreamEvent } from './events.ts';
import { type CompletionContext, completedBy, countCompletions, findCompletions } from './flow-completions.ts';
import { valueWithItem, withoutLinks } from './meta-value.ts';

export interface IngestionContext extends CompletionContext, FollowContext, AccountContext {
  findNumber: TargetStore['findByPhoneNumberId'];
  payloads: PayloadStore;
  queue: NotificationQueue;
  noteEvents: EventNoter;
}

/** The context of one request. `arrivedAt` is in epoch milliseconds. */
type RequestContext = IngestionContext & { arrivedAt: number };

/**
 * Ingests events: queues notifications, one message for each target that has a URL, and applies Flow events to the
 * Flows. What belongs to no number that is known here goes to the workspaces of the business account. Final responses
 * are counted once the queue has accepted everything, so no fault of the counts delays a notification. When it returns,
 * all events are accepted; when it throws, the upstream has to send them again. What concerns a workspace whose app did
 * not sign the request is dropped.
 */
export async function ingest(received: readonly UpstreamEvent[], ingestion: IngestionContext): Promise<void> {
  const context = { ...ingestion, arrivedAt: ingestion.now() };
  const named = await findNumbers(received, context);
  const foreign = await foreignNumbers(named, context);
  const numbers = new Map([...named].filter(([id]) => !foreign.has(id)));
  const events = received.filter((event) => !foreign.has(originOf(event)?.phoneNumberId));
  const notifications = events.filter((event): event is NotificationEvent => 'notification' in event);
  const forWorkspaces = workspaceFields(events, numbers);
  const fields = forWorkspaces.filter((event) => event.kind === 'field');
  const accounts = await findAccounts(fields, context);
  const noting = context.noteEvents(
    events.filter((event) => mayBeNoted(event, numbers, accounts)),
    numbers,
  );
  const completions = await findCompletions(notifications, numbers, context);
  const messages = await Promise.all([
    ...notifications.map((event) =>
      messagesFor(event, numbers.get(event.phoneNumberId), completedBy(event, completions), context),
    ),
    ...fields.map((event) => messagesForWorkspaces(event, accounts, context)),
  ]);
  await Promise.all([
    enqueue(messages.flat(), context),
    followFlows(
      events.filter((event) => event.kind === 'flow'),
      context,
    ),
  ]);
  logIgnored([...events, ...forWorkspaces]);
  await countCompletions(completions, context);
  await noting;
}

type NumberSettings = NonNullable<Awaited<ReturnType<IngestionContext['findNumber']>>>;

/** Reads each number once for all events of a request. */
async function findNumbers(events: readonly UpstreamEvent[], { findNumber }: IngestionContext) {
  const ids = [...new Set(events.flatMap((event) => originOf(event)?.phoneNumberId ?? []))];
  const numbers = new Map(await Promise.all(ids.map(async (id) => [id, await findNumber(id)] as const)));
  for (const [id, number] of numbers) {
    if (!number?.subscriber.active) log('warn', 'event.unknown-number', { phone_number_id: id });
  }
  return numbers;
}

/** The numbers for which the app that signed the request may not speak. */
async function foreignNumbers(
  numbers: ReadonlyMap<string, NumberSettings | undefined>,
  { isFor }: IngestionContext,
): Promise<ReadonlySet<string | undefined>> {
  const foreign = new Set<string>();
  for (const [phone_number_id, number] of numbers) {
    if (number === undefined || (await isFor(number.subscriber.workspace))) continue;
    foreign.add(phone_number_id);
    log('warn', 'event.wrong-app', { phone_number_id, workspace: number.subscriber.workspace });
  }
  return foreign;
}

/**
 * Whether the note of an event is for the right people: an operator reads it as advice for a workspace of the business
 * account, so only the app of that account may cause the note of a number that is unknown here.
 */
function mayBeNoted(
  event: UpstreamEvent,
  numbers: ReadonlyMap<string, NumberSettings | undefined>,
  accounts: Accounts,
): boolean {
  const origin = originOf(event);
  if (origin === undefined || numbers.get(origin.phoneNumberId) !== undefined) return true;
  const [account = ''] = accountsOf(origin.change.entry, origin.change.value);
  return accounts.get(account)?.isOfApp === true;
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
    for (const message of rejected) log('error', 'queue.rejected', { ...idsOf(message), code: error.code });
    const pointers = await Promise.all(
      rejected.map(async (message) => {
        const { subscriber, id, payload } = message;
        return 'text' in payload
          ? { message: { ...message, payload: await payloads.keepInBucket(subscriber, id, payload.text) } }
          : { message };
      }),
    );
    await queue.send(pointers);
  }
}

async function messagesFor(
  event: NotificationEvent,
  settings: DeliverySettings | undefined,
  sent_flow: SentFlowReference | undefined,
  context: RequestContext,
): Promise<FirstAttempt[]> {
  if (!settings?.subscriber.active) return [];
  const text = writeJson(event.notification);
  if (text === undefined) {
    log('error', 'event.too-deep', { kind: event.kind, subscriber: settings.subscriber.id });
    return [];
  }
  const name = eventName(event.notification);
  const { change, source } = event;
  const metaText = () => metaBody({ ...change, value: valueWithItem(change.value, source) });
  const targets = targetsFor(event.kind, name, settings);
  const attempts = await firstAttempts({ ...event, text, metaText }, settings, targets, context);
  return sent_flow ? attempts.map((attempt) => ({ ...attempt, sent_flow })) : attempts;
}

async function messagesForWorkspaces(
  event: FieldEvent,
  accounts: Accounts,
  context: RequestContext,
): Promise<FirstAttempt[]> {
  const { field, source } = event;
  const metaText = () => metaBody({ ...source, value: withoutLinks(source.value) });
  const attempts = subscribersOf(event, accounts)
    .filter(({ targets }) => wants(targets.webhook.events, field))
    .map((workspace) => firstAttempts({ ...event, metaText }, workspace, ['webhook'], context));
  return (await Promise.all(attempts)).flat();
}

/** Processes events in sequence: events of one request share one time, and only their order shows which is the last. */
async function followFlows(events: readonly FlowEvent[], context: IngestionContext): Promise<void> {
  for (const event of events) await followFlow(event, context);
}

async function followFlow(flowEvent: FlowEvent, { flows, isFor, ...context }: IngestionContext): Promise<void> {
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

function logIgnored(events: readonly UpstreamEvent[]): void {
  const counts = new Map<string, number>();
  for (const event of events) {
    if (event.kind !== 'ignored') continue;
    const what = `${event.field ?? ''} ${event.reason}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  for (const [what, count] of counts) log('info', 'event.ignored', { what, count });
}
