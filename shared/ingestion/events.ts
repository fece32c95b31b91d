import { isObject, type JsonObject, listOf, own, writeJson } from '#shared/base/json.ts';
import {
  type Change,
  contactFinder,
  type FieldReading,
  type KnownChange,
  keyOf,
  type NotificationEvent,
  type NotificationReading,
  readAction,
  readCall,
  readCallStatus,
  readEcho,
  readError,
  readMessage,
  readStatus,
  timesOf,
  unreferencedContacts,
} from './event-items.ts';
import { type FlowEvent, readFlow } from './flow-events.ts';
import {
  comparable,
  digest,
  eventTime,
  fieldNotification,
  readId,
  timestampsIn,
  withoutAddressesIn,
} from './normalise.ts';

/** A change that belongs to no webhook of a number. It goes to workspaces. */
export interface FieldEvent {
  readonly kind: 'field';
  readonly field: string;
  /** The business accounts that the change names: one, or rarely two. */
  readonly wabaIds: readonly string[];
  readonly phoneNumberId?: string | undefined;
  /** Present if this is the part of a number's change that cannot be read. */
  readonly unreadOf?: Change;
  /** The notification, `{field, value}`, as text, and as the platform sent it, for workspaces in Meta's format. */
  readonly text: string;
  readonly source: Change;
  /** Stays the same if the change arrives again or with other changes. */
  readonly key: string;
  /** Epoch milliseconds. */
  readonly timestampMs: number;
}

/** A part that is malformed. */
export interface IgnoredEvent {
  readonly kind: 'ignored';
  /** Absent when the part is outside any field. */
  readonly field?: string;
  /** The reason to log; it contains nothing of the part itself. */
  readonly reason: string;
}

export type UpstreamEvent = NotificationEvent | FlowEvent | FieldEvent | IgnoredEvent;

/** The number that an event names; `undefined` if it names none. */
export function numberOf(event: UpstreamEvent): string | undefined {
  return 'notification' in event || event.kind === 'field' ? event.phoneNumberId : undefined;
}

/** The change of a number that an event is part of. */
export function wholeOf(event: UpstreamEvent): Change | undefined {
  if ('notification' in event) return event.change;
  return event.kind === 'field' ? event.unreadOf : undefined;
}

/**
 * Splits a webhook body of the upstream into its events, in order (Meta's page "Webhooks payload reference"). Never
 * throws: an unreadable part becomes an `ignored` event and affects no other.
 * @param receivedAt epoch milliseconds
 */
export function splitEvents(body: unknown, receivedAt: number): UpstreamEvent[] {
  if (!isObject(body) || !Array.isArray(body.entry)) return [ignored(undefined, 'no list of entries')];
  return tellErrorsApart(body.entry.flatMap((entry) => splitEntry(entry, receivedAt)));
}

/** An error has no id, so those of one body that are alike differ by their position among them. */
function tellErrorsApart(events: readonly UpstreamEvent[]): UpstreamEvent[] {
  const counts = new Map<string, number>();
  return events.map((event) => {
    if (!('notification' in event && 'errors' in event.notification)) return event;
    const identity = `${event.phoneNumberId} ${event.key}`;
    const position = counts.get(identity) ?? 0;
    counts.set(identity, position + 1);
    return position === 0 ? event : { ...event, key: keyOf(event.key, String(position)) };
  });
}

const fieldSplitters: ReadonlyMap<string, (change: KnownChange) => UpstreamEvent[]> = new Map([
  ['messages', splitMessages],
  ['calls', splitCalls],
  ['flows', splitFlow],
  ['smb_message_echoes', splitEchoes],
  ['message_echoes', splitEchoes],
]);

function splitEntry(entry: unknown, receivedAt: number): UpstreamEvent[] {
  if (!isObject(entry) || !Array.isArray(entry.changes)) return [ignored(undefined, 'an entry has no list of changes')];
  return entry.changes.flatMap((change) => splitChange(change, entry, receivedAt));
}

function splitChange(change: unknown, entry: JsonObject, receivedAt: number): UpstreamEvent[] {
  if (!isObject(change) || typeof change.field !== 'string') return [ignored(undefined, 'a change has no field')];
  const { field, value } = change;
  const split = fieldSplitters.get(field);
  if (split === undefined || !isObject(value)) return [readField({ field, value, entry, receivedAt })];
  return split({ field, value, entry, receivedAt });
}

function splitMessages(change: KnownChange): UpstreamEvent[] {
  const { contacts, messages, statuses, user_actions } = change.value;
  const items = [...listOf(messages), ...listOf(statuses), ...listOf(user_actions)];
  const contactOf = contactFinder(listOf(contacts), items);
  return splitLists(change, unreferencedContacts(listOf(contacts), items, contactOf), {
    messages: (message) => readMessage(message, contactOf),
    statuses: (status) => readStatus(status, contactOf),
    errors: (error) => readError('error', error, change),
    user_actions: (action) => readAction(action, change, contactOf),
  });
}

/** The errors of a call have the kind `call`, so that only receivers of calls get them. */
function splitCalls(change: KnownChange): UpstreamEvent[] {
  const { contacts, calls, statuses } = change.value;
  const items = [...listOf(calls), ...listOf(statuses)];
  const contactOf = contactFinder(listOf(contacts), items);
  return splitLists(change, unreferencedContacts(listOf(contacts), items, contactOf), {
    calls: (call) => readCall(call, contactOf),
    statuses: (status) => readCallStatus(status, contactOf),
    errors: (error) => readError('call', error, change, items.filter(isObject)),
  });
}

/** What staff write in other apps goes to the workspaces, and to those targets of the number that ask for it. */
function splitEchoes(change: KnownChange): UpstreamEvent[] {
  const contactOf = contactFinder(listOf(change.value.contacts), listOf(change.value.message_echoes));
  const events = splitLists(change, [], { message_echoes: (echo) => readEcho(echo, contactOf) });
  return [readField(change), ...events.filter((event) => 'notification' in event)];
}

/** The event of an item of a list; `undefined` for an item without an identity. */
type Reading = NotificationReading | FieldReading;

type Reader = (item: JsonObject) => Reading | undefined;

type Readers = Readonly<Record<string, Reader>>;

/**
 * Splits the lists of a number's change. What else the value says goes into each of the notifications, because it may
 * be about any of them. What cannot be read, and contacts of nobody, are one event for the workspaces.
 */
function splitLists(change: KnownChange, unreferencedContacts: readonly unknown[], readers: Readers): UpstreamEvent[] {
  const { metadata } = change.value;
  const phoneNumberId = isObject(metadata) ? readId(metadata.phone_number_id) : undefined;
  if (phoneNumberId === undefined) return [readField(change)];
  const extraMembers = readExtraMembers(change.value);
  const beside = withoutAddressesIn(extraMembers);
  const lists = Object.entries(readers).map(([name, read]) => readList(change, { name, read, phoneNumberId, beside }));
  const events = lists.flatMap(({ read }) => read);
  const isAnySent = events.some((event) => 'notification' in event);
  const value = unreadPart(change.value, {
    unreadByName: new Map(lists.map(({ name, unread }) => [name, unread])),
    unreferencedContacts,
    sentExtraMembers: isAnySent ? extraMembers : {},
  });
  return value === undefined ? events : [...events, readPart(change, value, phoneNumberId)];
}

/** Reads a part of a number's change as an event for the workspaces. */
function readPart(change: KnownChange, value: JsonObject, phoneNumberId: string): FieldEvent | IgnoredEvent {
  const part = readField({ ...change, value }, change.value);
  return part.kind === 'field' ? { ...part, phoneNumberId, unreadOf: change } : part;
}

/** Reads the items of a list, and returns apart what cannot be read: items, or what is there instead of the list. */
function readList(
  change: KnownChange,
  list: { name: string; read: Reader; phoneNumberId: string; beside: JsonObject },
): { name: string; read: UpstreamEvent[]; unread: unknown } {
  const { value, entry, receivedAt } = change;
  const { name, phoneNumberId, beside } = list;
  const items = value[name] ?? [];
  if (!Array.isArray(items)) return { name, read: [], unread: items };
  const read: UpstreamEvent[] = [];
  const unread: unknown[] = [];
  for (const item of items) {
    const reading = isObject(item) ? list.read(item) : undefined;
    if (reading === undefined) {
      unread.push(item);
    } else if ('value' in reading) {
      read.push(readPart(change, reading.value, phoneNumberId));
    } else {
      const { calls, contact, ...rest } = reading;
      const source = { list: name, item: item as JsonObject, contact };
      const notification = { ...reading.notification, ...beside };
      const timestampMs = eventTime(timesOf(own(item, 'timestamp'), entry, [item, calls]), receivedAt);
      read.push({ ...rest, notification, phoneNumberId, change, source, timestampMs });
    }
  }
  return { name, read, unread: unread.length > 0 ? unread : undefined };
}

/** The members of every value of a number that say only whom it is about. */
const envelopeMembers: ReadonlySet<string> = new Set(['messaging_product', 'metadata']);

/** The names of lists in notifications: only their own items may stand under them. */
const listMembers: ReadonlySet<string> = new Set(['contacts', 'messages', 'statuses', 'errors', 'calls']);

/** The members of a value apart from its lists and its envelope. A list with items may hold events of a new kind. */
function readExtraMembers(value: JsonObject): JsonObject {
  const members = Object.entries(value).filter(
    ([name, member]) => !envelopeMembers.has(name) && !listMembers.has(name) && listOf(member).length === 0,
  );
  return Object.fromEntries(members);
}

interface Unread {
  /** The unread items of each list that this field has. */
  readonly unreadByName: ReadonlyMap<string, unknown>;
  readonly unreferencedContacts: readonly unknown[];
  /** The members apart from the lists, if a notification has them. */
  readonly sentExtraMembers: JsonObject;
}

/**
 * Returns the value with only that part of its lists that was not read; `undefined` if nothing is left that is in no
 * notification.
 */
function unreadPart(
  value: JsonObject,
  { unreadByName, unreferencedContacts, sentExtraMembers }: Unread,
): JsonObject | undefined {
  const isUnread = ([name, member]: readonly [string, unknown]) => {
    if (unreadByName.has(name)) return unreadByName.get(name) !== undefined;
    if (envelopeMembers.has(name) || (name === 'contacts' && Array.isArray(member))) return false;
    return !Object.hasOwn(sentExtraMembers, name) && member !== null && !(Array.isArray(member) && member.length === 0);
  };
  const hasKnownList = [...unreadByName.keys()].some((name) => (value[name] ?? null) !== null);
  const isAnyUnread = !hasKnownList || Object.entries(value).some(isUnread);
  if (!isAnyUnread && unreferencedContacts.length === 0) return undefined;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const contacts = isAnyUnread ? member : unreferencedContacts;
    const left = unreadByName.has(name) ? unreadByName.get(name) : name === 'contacts' ? contacts : member;
    return left === undefined ? [] : [[name, left] as const];
  });
  return Object.fromEntries(members);
}

/** An event of a Flow moves the Flow's status, and goes to the workspaces like every other field. */
function splitFlow(change: KnownChange): UpstreamEvent[] {
  const flow = readFlow(change);
  return flow ? [flow, readField(change)] : [readField(change)];
}

/**
 * Reads a change as an event for the workspaces. Such a change has no id, so its account, its content and its time
 * identify it; the upstream's repeats keep all three. Short-lived addresses of media are not part of the content.
 * @param whole the change's value, if this is a part of it without a time
 */
export function readField({ field, value, entry, receivedAt }: Change, whole?: JsonObject): FieldEvent | IgnoredEvent {
  const wabaIds = accountsOf(entry, value);
  if (wabaIds.length === 0) return ignored(field, 'no business account');
  if (value === undefined) return ignored(field, 'no value');
  const notification = fieldNotification(field, value);
  const text = writeJson(notification);
  if (text === undefined) return ignored(field, 'nests too deep');
  const key = keyOf('field-content', digest([wabaIds[0], readId(entry.time), comparable(notification)]));
  const times = function* () {
    yield* timesOf(undefined, entry, value);
    yield* timestampsIn(whole);
  };
  const source = { field, value, entry, receivedAt };
  const timestampMs = eventTime(times(), receivedAt);
  return { kind: 'field', field, wabaIds, phoneNumberId: numberIn(value), text, source, key, timestampMs };
}

function numberIn(value: unknown): string | undefined {
  const about = own(value, 'metadata') ?? own(value, 'recipient') ?? own(value, 'phone_number_settings');
  return readId(own(about, 'phone_number_id'));
}

/**
 * The business accounts that a change names. An event about a partner may have the id of a business portfolio in its
 * entry, and that of the account in its value.
 */
export function accountsOf(entry: JsonObject, value: unknown): string[] {
  const info = isObject(value) && isObject(value.waba_info) ? value.waba_info : {};
  const ids = [readId(entry.id), readId(info.waba_id)].filter((id) => id !== undefined);
  return [...new Set(ids)];
}

function ignored(field: string | undefined, reason: string): IgnoredEvent {
  return { kind: 'ignored', ...(field !== undefined && { field }), reason };
}
