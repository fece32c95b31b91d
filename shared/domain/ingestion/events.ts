import { createHash } from 'node:crypto';
import { isNumber, numberText, toDouble } from '#shared/base/json/exact-json.ts';
import { isObject, isText, type JsonObject, listOf, own } from '#shared/base/json/json-object.ts';
import { writeJson } from '#shared/base/json/write-json.ts';
import { type ContactFinder, contactFinder, participantOf, recipientOf, unreferencedContacts } from './contacts.ts';
import { eventTime } from './event-time.ts';
import {
  callNotification,
  callStatusNotification,
  errorNotification,
  fieldNotification,
  messageNotification,
  type Notification,
  statusNotification,
  withoutAddressesIn,
} from './normalise.ts';
import { normaliseError } from './normalise-error.ts';

/** An event for a number's receivers. Calls go to `calls_webhook`, everything else to the other two targets. */
export interface NotificationEvent {
  readonly kind: 'message' | 'status' | 'error' | 'call';
  /** The upstream's id of the number. */
  readonly phoneNumberId: string;
  readonly notification: Notification;
  /** The change that contained the event. It goes to the workspaces if the number is unknown. */
  readonly change: Change;
  /** Built only from the upstream's ids, so it stays the same if the event arrives again or with other events. */
  readonly key: string;
  /** Epoch milliseconds. */
  readonly timestampMs: number;
}

/** An event of a Flow, with the upstream's names of statuses. */
export interface FlowEvent {
  readonly kind: 'flow';
  readonly wabaId: string;
  readonly flowWaId: string;
  readonly event: string;
  readonly oldStatus?: string;
  readonly newStatus?: string;
  /** Epoch milliseconds. */
  readonly timestampMs: number;
}

/** A change that belongs to no webhook of a number. It goes to the workspaces of its business accounts. */
export interface FieldEvent {
  readonly kind: 'field';
  readonly field: string;
  /** The business accounts that the change names: one, or rarely two. */
  readonly wabaIds: readonly string[];
  /** Present if this is the part of a number's change that cannot be read. */
  readonly unreadOf?: { readonly phoneNumberId: string; readonly change: Change };
  /** The notification, `{field, value}`, as text. */
  readonly text: string;
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

/**
 * Splits a webhook body of the upstream into its events, in order (Meta's page "Webhooks payload reference"). Never
 * throws: an unreadable part becomes an `ignored` event and affects no other.
 * @param receivedAt epoch milliseconds
 */
export function splitEvents(body: unknown, receivedAt: number): UpstreamEvent[] {
  if (!isObject(body) || !Array.isArray(body.entry)) return [ignored(undefined, 'no list of entries')];
  return body.entry.flatMap((entry) => splitEntry(entry, receivedAt));
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

/** An element of the upstream's `entry[].changes[]`. */
export interface Change<Value = unknown> {
  readonly field: string;
  readonly value: Value;
  readonly entry: JsonObject;
  readonly receivedAt: number;
}

type KnownChange = Change<JsonObject>;

const fieldSplitters: ReadonlyMap<string, (change: KnownChange) => UpstreamEvent[]> = new Map([
  ['messages', splitMessages],
  ['calls', splitCalls],
  ['flows', splitFlow],
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
  const { contacts, messages, statuses } = change.value;
  const items = [...listOf(messages), ...listOf(statuses)];
  const contactOf = contactFinder(listOf(contacts), items.length);
  return splitLists(change, unreferencedContacts(listOf(contacts), items, contactOf), {
    messages: (message) => readMessage(message, contactOf),
    statuses: (status) => readStatus(status, contactOf),
    errors: (error) => readError('error', error, change),
  });
}

/** The errors of a call have the kind `call`, so that only receivers of calls get them. */
function splitCalls(change: KnownChange): UpstreamEvent[] {
  const { contacts, calls, statuses } = change.value;
  const items = [...listOf(calls), ...listOf(statuses)];
  const contactOf = contactFinder(listOf(contacts), items.length);
  const callIds = items.filter(isObject).map(({ id }) => id);
  return splitLists(change, unreferencedContacts(listOf(contacts), items, contactOf), {
    calls: (call) => readCall(call, contactOf),
    statuses: (status) => readCallStatus(status, contactOf),
    errors: (error) => readError('call', error, change, callIds.filter(isText)),
  });
}

/** The event of an item of a list; `undefined` for an item without an identity. */
type Reading = Pick<NotificationEvent, 'kind' | 'key' | 'notification'> & { readonly timestamp?: unknown };
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
  const membersBeside = readMembersBeside(change.value);
  const beside = withoutAddressesIn(membersBeside);
  const lists = Object.entries(readers).map(([name, read]) => readList(change, { name, read, phoneNumberId, beside }));
  const events = lists.flatMap(({ read }) => read);
  const value = unreadPart(change.value, {
    unreadByName: new Map(lists.map(({ name, unread }) => [name, unread])),
    unreferencedContacts,
    sentBeside: events.length > 0 ? membersBeside : {},
  });
  if (value === undefined) return events;
  const unread = readField({ ...change, value });
  return [...events, unread.kind === 'field' ? { ...unread, unreadOf: { phoneNumberId, change } } : unread];
}

/** Reads the items of a list, and returns apart what cannot be read: items, or what is there instead of the list. */
function readList(
  change: KnownChange,
  list: { name: string; read: Reader; phoneNumberId: string; beside: JsonObject },
): { name: string; read: NotificationEvent[]; unread: unknown } {
  const { value, entry, receivedAt } = change;
  const { name, phoneNumberId, beside } = list;
  const items = value[name] ?? [];
  if (!Array.isArray(items)) return { name, read: [], unread: items };
  const read: NotificationEvent[] = [];
  const unread: unknown[] = [];
  for (const item of items) {
    const reading = isObject(item) ? list.read(item) : undefined;
    if (reading === undefined) {
      unread.push(item);
      continue;
    }
    const { timestamp, ...rest } = reading;
    const notification = { ...reading.notification, ...beside };
    const timestampMs = eventTime([timestamp, entry.time], receivedAt);
    read.push({ ...rest, notification, phoneNumberId, change, timestampMs });
  }
  return { name, read, unread: unread.length > 0 ? unread : undefined };
}

/** The members of every value of a number that say only whom it is about. */
const envelopeMembers: ReadonlySet<string> = new Set(['messaging_product', 'metadata']);

/** The names of lists in notifications: only their own items may stand under them. */
const listMembers: ReadonlySet<string> = new Set(['contacts', 'messages', 'statuses', 'errors', 'calls']);

/** What a value says besides its lists and its envelope. A list with items in it may hold events of a new kind. */
function readMembersBeside(value: JsonObject): JsonObject {
  const members = Object.entries(value).filter(
    ([name, member]) => !envelopeMembers.has(name) && !listMembers.has(name) && listOf(member).length === 0,
  );
  return Object.fromEntries(members);
}

interface Unread {
  /** What was not read of each list that this field has. */
  readonly unreadByName: ReadonlyMap<string, unknown>;
  readonly unreferencedContacts: readonly unknown[];
  /** The members beside the lists, if there is a notification that has them. */
  readonly sentBeside: JsonObject;
}

/**
 * Returns the value with only that part of its lists that was not read; `undefined` if nothing is left that is in no
 * notification.
 */
function unreadPart(
  value: JsonObject,
  { unreadByName, unreferencedContacts, sentBeside }: Unread,
): JsonObject | undefined {
  const isUnread = ([name, member]: readonly [string, unknown]) => {
    if (unreadByName.has(name)) return unreadByName.get(name) !== undefined;
    if (envelopeMembers.has(name) || (name === 'contacts' && Array.isArray(member))) return false;
    return !Object.hasOwn(sentBeside, name) && member !== null && !(Array.isArray(member) && member.length === 0);
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

function readMessage(message: JsonObject, contactOf: ContactFinder): Reading | undefined {
  const { id, timestamp } = message;
  if (!isText(id)) return undefined;
  const notification = messageNotification(message, contactOf(message));
  return { kind: 'message', key: keyOf('message', id), notification, timestamp };
}

function readStatus(item: JsonObject, contactOf: ContactFinder): Reading | undefined {
  const { id, status, timestamp } = item;
  if (!isText(id) || !isText(status)) return undefined;
  const notification = statusNotification(item, contactOf(item) ?? recipientOf(item));
  return { kind: 'status', key: keyOf('status', id, status, ...participantOf(item)), notification, timestamp };
}

function readCall(call: JsonObject, contactOf: ContactFinder): Reading | undefined {
  const { id, event, timestamp } = call;
  if (!isText(id) || !isText(event)) return undefined;
  const notification = callNotification(call, contactOf(call));
  return { kind: 'call', key: keyOf('call', id, event), notification, timestamp };
}

function readCallStatus(item: JsonObject, contactOf: ContactFinder): Reading | undefined {
  const { id, status, timestamp } = item;
  if (!isText(id) || !isText(status)) return undefined;
  const notification = callStatusNotification(item, contactOf(item));
  return { kind: 'call', key: keyOf('call-status', id, status), notification, timestamp };
}

/**
 * An error has no id, so its content and its entry's time identify it; the upstream's repeats keep both. The ids of the
 * calls that come with it are added, because two calls may fail alike in the same second. Where nothing tells two alike
 * apart, as in Meta's examples of messages, whose entries have no time, each arrival is an error of its own: one too
 * many is better than one that never arrives. The code counts as a double, so that ids do not depend on its notation.
 */
function readError(
  kind: 'error' | 'call',
  item: JsonObject,
  { entry, receivedAt }: KnownChange,
  callIds: readonly string[] = [],
): Reading | undefined {
  const error = normaliseError(item);
  if (error === undefined) return undefined;
  const time = readId(entry.time) ?? (callIds.length === 0 ? receivedAt : undefined);
  const content = [time, { ...error, code: toDouble(error.code) }, ...callIds];
  const key = keyOf(`${kind}-content`, digest(content));
  return { kind, key, notification: errorNotification(error) };
}

/** An event of a Flow moves the Flow's status, and goes to the workspaces like every other field. */
function splitFlow(change: KnownChange): UpstreamEvent[] {
  const flow = readFlow(change);
  return flow ? [flow, readField(change)] : [readField(change)];
}

function readFlow({ value, entry, receivedAt }: KnownChange): FlowEvent | undefined {
  const { event, old_status: oldStatus, new_status: newStatus } = value;
  const wabaId = readId(entry.id);
  const flowWaId = readId(value.flow_id);
  if (wabaId === undefined || flowWaId === undefined || !isText(event)) return undefined;
  const statuses = { ...(isText(oldStatus) && { oldStatus }), ...(isText(newStatus) && { newStatus }) };
  return { kind: 'flow', wabaId, flowWaId, event, ...statuses, timestampMs: eventTime([entry.time], receivedAt) };
}

/**
 * Reads a change as an event for the workspaces. Such a change has no id, so its account, its content and its entry's
 * time identify it; the upstream's repeats keep all three. Short-lived addresses of media are not part of the content.
 */
export function readField({ field, value, entry, receivedAt }: Change): FieldEvent | IgnoredEvent {
  const wabaIds = accountsOf(entry, value);
  if (wabaIds.length === 0) return ignored(field, 'no business account');
  if (value === undefined) return ignored(field, 'no value');
  const text = writeJson(fieldNotification(field, value));
  if (text === undefined) return ignored(field, 'nests too deep');
  const key = keyOf('field-content', digest([wabaIds[0], readId(entry.time), text]));
  return { kind: 'field', field, wabaIds, text, key, timestampMs: eventTime([entry.time], receivedAt) };
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

function digest(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}

function ignored(field: string | undefined, reason: string): IgnoredEvent {
  return { kind: 'ignored', ...(field !== undefined && { field }), reason };
}

function keyOf(...parts: string[]): string {
  return parts.join(':');
}

/** The form of the upstream's ids, most of which are digits. Any other text could not be part of a table key. */
const idPattern = /^[\w.:-]{1,128}$/;

/** The upstream writes ids as text, occasionally as numbers. */
function readId(value: unknown): string | undefined {
  const id = isNumber(value) ? idText(toDouble(value), numberText(value)) : value;
  return typeof id === 'string' && idPattern.test(id) ? id : undefined;
}

/** A number's digits in any notation. Beyond 2^53, only the digits of a plain integer are exact. */
function idText(value: number, written: string): string | undefined {
  if (Number.isSafeInteger(value)) return String(value);
  return /^\d+$/.test(written) ? written : undefined;
}
