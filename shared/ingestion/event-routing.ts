import type { BusinessAccountStore } from '#shared/accounts/business-account-store.ts';
import { isObject, listOf, own } from '#shared/base/json.ts';
import { log } from '#shared/base/logger.ts';
import { wants, wantsCall } from '#shared/webhooks/event-names.ts';
import { type DeliverySettings, isNamed, type Target, type TargetRecord } from '#shared/webhooks/subscriber.ts';
import type { Change, NotificationEvent } from './event-items.ts';
import { accountsOf, type FieldEvent, type IgnoredEvent, readField, type UpstreamEvent } from './events.ts';

/**
 * The targets of a number that want an event of this kind and name. Calls go to `calls_webhook`, and besides to those
 * that have a name of their own or Meta's format and ask for them. Echoes are only for targets that choose their events,
 * because other receivers could take one for a message of the contact.
 */
export function targetsFor(kind: NotificationEvent['kind'], name: string, { targets }: DeliverySettings): Target[] {
  return (Object.entries(targets) as [Target, TargetRecord][]).flatMap(([target, { format, events }]) => {
    const isForCalls = target === 'calls_webhook';
    const isChosen = kind !== 'echo' || events !== undefined;
    if (isForCalls === (kind === 'call')) return isChosen && wants(events, name) ? [target] : [];
    const mayAsk = !isForCalls && (isNamed(target) || format === 'meta');
    return mayAsk && wantsCall(events, name) ? [target] : [];
  });
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
    const origin = originOf(event);
    const number = origin && numbers.get(origin.phoneNumberId);
    if (origin && !number) unknown.add(origin.change);
    else if (event.kind === 'field' && number?.subscriber.active !== false) fields.push(event);
  }
  return [...fields, ...[...unknown].map((change) => readField(change))];
}

/** The change of a number that an event comes from; `undefined` if it concerns no number. */
export function originOf(event: UpstreamEvent): { phoneNumberId: string; change: Change } | undefined {
  if ('notification' in event) return event;
  return event.kind === 'field' ? event.unreadOf : undefined;
}

export interface AccountContext {
  businessAccounts: Pick<BusinessAccountStore, 'listWorkspaces'>;
  /**
   * Whether the app that signed the request is that of this workspace; without a workspace, that of the deployment.
   * Others may not speak for it.
   */
  isFor: (workspace: string | undefined) => Promise<boolean>;
}

/** A business account, and what the app that signed a request has to do with it. */
interface Account {
  /** The workspaces that use the app and have a webhook. */
  readonly subscribers: readonly DeliverySettings[];
  /** Whether the app may speak for the account: a workspace of the account uses it or, if there is none, the deployment. */
  readonly isOfApp: boolean;
}

/** The business accounts that the events of a request name, by id. */
export type Accounts = ReadonlyMap<string, Account>;

/** Reads each business account once for all events of a request. */
export async function findAccounts(events: readonly FieldEvent[], context: AccountContext): Promise<Accounts> {
  const ids = [...new Set(events.flatMap(({ wabaIds }) => wabaIds))];
  const accounts = new Map(await Promise.all(ids.map(async (id) => [id, await readAccount(id, context)] as const)));
  const lost = events.filter((event) => subscribersOf(event, accounts).length === 0);
  for (const waba_id of new Set(lost.flatMap(({ wabaIds }) => wabaIds))) {
    log('info', 'event.no-webhook', { waba_id });
  }
  return accounts;
}

async function readAccount(waba_id: string, { businessAccounts, isFor }: AccountContext): Promise<Account> {
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

/** The workspaces that get an event, each of them once. */
export function subscribersOf({ wabaIds }: FieldEvent, accounts: Accounts): DeliverySettings[] {
  const subscribers = wabaIds.flatMap((id) => accounts.get(id)?.subscribers ?? []);
  return [...new Map(subscribers.map((settings) => [settings.subscriber.id, settings])).values()];
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
