import type { BusinessAccountStore } from '#shared/accounts/workspace-store.ts';
import { isObject, listOf, own, writeJson } from '#shared/base/json.ts';
import { log } from '#shared/base/logger.ts';
import { type FirstAttempt, firstAttempts, type PayloadStore } from '#shared/delivery/notification.ts';
import type { NotificationQueue } from '#shared/delivery/notification-queue-store.ts';
import type { SentFlowReference } from '#shared/messages/sent-flow.ts';
import { eventName, wants, wantsCall } from '#shared/webhooks/event-names.ts';
import { metaBody } from '#shared/webhooks/meta-format.ts';
import { type DeliverySettings, isNamed, type Target, type TargetRecord } from '#shared/webhooks/subscriber.ts';
import type { TargetStore } from '#shared/webhooks/subscriber-store.ts';
import type { Change, NotificationEvent } from './event-items.ts';
import type { EventNoter } from './event-note-store.ts';
import {
  accountsOf,
  type FieldEvent,
  type IgnoredEvent,
  numberOf,
  readField,
  type UpstreamEvent,
  wholeOf,
} from './events.ts';
import {
  type CompletionContext,
  completedBy,
  countCompletions,
  findCompletions,
  followFlows,
  type StatusContext,
} from './flow-events.ts';
import { valueWithItem, withoutLinks } from './meta-value.ts';

export interface IngestionContext extends CompletionContext, StatusContext {
  findNumber: TargetStore['findByPhoneNumberId'];
  businessAccounts: Pick<BusinessAccountStore, 'listWorkspaces'>;
  payloads: PayloadStore;
  queue: NotificationQueue;
  noteEvents: EventNoter;
}

/** The context of one request. `arrivedAt` is in epoch milliseconds. */
type RequestContext = IngestionContext & { arrivedAt: number };

/**
 * Ingests events: queues notifications, one message for each target that has a URL, and applies Flow events to the
 * Flows. What is in no notification of a number goes to the number's workspace or, if it names no number that is known
 * here, to the workspaces of the business account. Final responses are counted once the queue has accepted everything,
 * so no fault of the counts delays a notification. When it returns, all events are accepted; when it throws, the
 * upstream has to send them again. What concerns a workspace whose app did not sign the request is dropped.
 */
export async function ingest(received: readonly UpstreamEvent[], ingestion: IngestionContext): Promise<void> {
  const context = { ...ingestion, arrivedAt: ingestion.now() };
  const named = await findNumbers(received, context);
  const foreign = await foreignNumbers(named, context);
  const numbers = new Map([...named].filter(([id]) => !foreign.has(id)));
  const events = received.filter((event) => !foreign.has(numberOf(event)));
  const notifications = events.filter((event): event is NotificationEvent => 'notification' in event);
  const forWorkspaces = workspaceFields(events, numbers);
  const fields = forWorkspaces.filter((event) => event.kind === 'field');
  const accounts = await findAccounts(fields, numbers, context);
  const noting = context.noteEvents(
    events.filter((event) => mayBeNoted(event, numbers, accounts)),
    numbers,
  );
  const completions = await findCompletions(notifications, numbers, context);
  const messages = await Promise.all([
    ...notifications.map((event) =>
      messagesFor(event, numbers.get(event.phoneNumberId), completedBy(event, completions), context),
    ),
    ...fields.map((event) => messagesForWorkspaces(event, subscribersOf(event, accounts, numbers), context)),
  ]);
  await Promise.all([
    context.queue.send(messages.flat().map((message) => ({ message }))),
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

/** The numbers that the events of a request name, by their id; `undefined` for one that is unknown here. */
type Numbers = ReadonlyMap<string, NumberSettings | undefined>;

/** Reads each number once for all events of a request. */
async function findNumbers(events: readonly UpstreamEvent[], { findNumber }: IngestionContext) {
  const ids = [...new Set(events.flatMap((event) => numberOf(event) ?? []))];
  const numbers = new Map(await Promise.all(ids.map(async (id) => [id, await findNumber(id)] as const)));
  for (const [id, number] of numbers) {
    if (!number?.subscriber.active) log('warn', 'event.unknown-number', { phone_number_id: id });
  }
  return numbers;
}

/** The numbers for which the app that signed the request may not speak. */
async function foreignNumbers(numbers: Numbers, { isFor }: IngestionContext): Promise<ReadonlySet<string | undefined>> {
  const foreign = new Set<string>();
  for (const [phone_number_id, number] of numbers) {
    if (number === undefined || (await isFor(number.subscriber.workspace))) continue;
    foreign.add(phone_number_id);
    log('warn', 'event.wrong-app', { phone_number_id, workspace: number.subscriber.workspace });
  }
  return foreign;
}

/**
 * The events for the workspaces: fields that belong to no number, the unreadable parts of a number's change, and the
 * whole change, once, if its number is unknown here. Events of a number that is switched off are not sent.
 */
export function workspaceFields(
  events: readonly UpstreamEvent[],
  numbers: ReadonlyMap<string, DeliverySettings | undefined>,
): (FieldEvent | IgnoredEvent)[] {
  const fields: FieldEvent[] = [];
  const unknown = new Set<Change>();
  for (const event of events) {
    // The whole change of an echo is an event for the workspaces, too.
    if (event.kind === 'echo') continue;
    const whole = wholeOf(event);
    const number = numbers.get(numberOf(event) ?? '');
    if (whole && !number) unknown.add(whole);
    else if (event.kind === 'field' && number?.subscriber.active !== false) fields.push(event);
  }
  return [...fields, ...[...unknown].map((change) => readField(change))];
}

/** A business account, and what the app that signed a request has to do with it. */
interface Account {
  /** The workspaces that use the app and have a webhook. */
  readonly subscribers: readonly DeliverySettings[];
  /** Whether the app may speak for the account: a workspace of the account uses it or, if there is none, the deployment. */
  readonly isOfApp: boolean;
}

/** The business accounts that the events of a request name, by id. */
type Accounts = ReadonlyMap<string, Account>;

/** Reads each business account once for all events of a request. */
async function findAccounts(
  events: readonly FieldEvent[],
  numbers: Numbers,
  context: Pick<IngestionContext, 'businessAccounts' | 'isFor'>,
): Promise<Accounts> {
  const ids = [...new Set(events.flatMap(({ wabaIds }) => wabaIds))];
  const accounts = new Map(await Promise.all(ids.map(async (id) => [id, await readAccount(id, context)] as const)));
  const lost = events.filter((event) => subscribersOf(event, accounts, numbers).length === 0);
  for (const waba_id of new Set(lost.flatMap(({ wabaIds }) => wabaIds))) {
    log('info', 'event.no-webhook', { waba_id });
  }
  return accounts;
}

async function readAccount(
  waba_id: string,
  { businessAccounts, isFor }: Pick<IngestionContext, 'businessAccounts' | 'isFor'>,
): Promise<Account> {
  const workspaces = await businessAccounts.listWorkspaces(waba_id);
  const ofApp: DeliverySettings[] = [];
  for (const settings of workspaces) {
    if (await isFor(settings.subscriber.id)) ofApp.push(settings);
    else log('warn', 'event.wrong-app', { waba_id, workspace: settings.subscriber.id });
  }
  const isOfDeployment = workspaces.length === 0 && (await isFor(undefined));
  if (workspaces.length === 0 && !isOfDeployment) log('warn', 'event.wrong-app', { waba_id });
  return {
    subscribers: ofApp.filter(({ targets }) => targets.webhook.url !== undefined),
    isOfApp: ofApp.length > 0 || isOfDeployment,
  };
}

/** More business accounts than the upstream is likely to name in one request. */
const maxAccountsNamed = 10;

/** The business accounts that a webhook body names: the first few, because anybody may have sent it. */
export function accountsNamed(body: unknown): string[] {
  const accounts = new Set<string>();
  for (const entry of listOf(own(body, 'entry')).filter(isObject)) {
    const changes = listOf(entry.changes).filter(isObject);
    for (const id of [...accountsOf(entry, undefined), ...changes.flatMap(({ value }) => accountsOf({}, value))]) {
      if (accounts.add(id).size === maxAccountsNamed) return [...accounts];
    }
  }
  return [...accounts];
}

/**
 * Whether the note of an event is for the right people: an operator reads it as advice for a workspace of the business
 * account, so only the app of that account may cause the note of a number that is unknown here.
 */
function mayBeNoted(event: UpstreamEvent, numbers: Numbers, accounts: Accounts): boolean {
  const whole = wholeOf(event);
  if (whole === undefined) return false;
  if (numbers.get(numberOf(event) ?? '') !== undefined) return true;
  const [account = ''] = accountsOf(whole.entry, whole.value);
  return accounts.get(account)?.isOfApp === true;
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

/**
 * The targets of a number that want an event of this kind and name. Calls go to `calls_webhook`, and besides to those
 * that have a name of their own or Meta's format and ask for them. Echoes are only for targets that choose their events,
 * because other receivers could take one for a message of the contact.
 */
function targetsFor(kind: NotificationEvent['kind'], name: string, { targets }: DeliverySettings): Target[] {
  return (Object.entries(targets) as [Target, TargetRecord][]).flatMap(([target, { format, events }]) => {
    const isForCalls = target === 'calls_webhook';
    const isChosen = kind !== 'echo' || events !== undefined;
    if (isForCalls === (kind === 'call')) return isChosen && wants(events, name) ? [target] : [];
    const mayAsk = !isForCalls && (isNamed(target) || format === 'meta');
    return mayAsk && wantsCall(events, name) ? [target] : [];
  });
}

async function messagesForWorkspaces(
  event: FieldEvent,
  subscribers: readonly DeliverySettings[],
  context: RequestContext,
): Promise<FirstAttempt[]> {
  const { field, source } = event;
  const metaText = () => metaBody({ ...source, value: withoutLinks(source.value) });
  const attempts = subscribers
    .filter(({ targets }) => wants(targets.webhook.events, field))
    .map((workspace) => firstAttempts({ ...event, metaText }, workspace, ['webhook'], context));
  return (await Promise.all(attempts)).flat();
}

/** The workspaces that get an event, each of them once. What concerns a number is none of the others' business. */
function subscribersOf(
  { wabaIds, phoneNumberId = '' }: FieldEvent,
  accounts: Accounts,
  numbers: Numbers,
): DeliverySettings[] {
  const owner = numbers.get(phoneNumberId)?.subscriber.workspace;
  const subscribers = wabaIds
    .flatMap((id) => accounts.get(id)?.subscribers ?? [])
    .filter(({ subscriber }) => owner === undefined || subscriber.id === owner);
  return [...new Map(subscribers.map((settings) => [settings.subscriber.id, settings])).values()];
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
