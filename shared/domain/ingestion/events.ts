import { createHash } from 'node:crypto';
import { isNumber, numberText, toDouble } from '#shared/base/json/exact-json.ts';
import { isObject, type JsonObject, listOf } from '#shared/base/json/json-object.ts';
import { type ContactFinder, contactFinder, recipientOf } from './contacts.ts';
import { eventTime } from './event-time.ts';
import {
  callNotification,
  callStatusNotification,
  errorNotification,
  messageNotification,
  type Notification,
  statusNotification,
} from './normalise.ts';
import { normaliseError } from './normalise-error.ts';

/** Something that a number's receivers are told: calls through `calls_webhook`, the others through the other two. */
export interface NotificationEvent {
  readonly kind: 'message' | 'status' | 'error' | 'call';
  /** The upstream's id of the number. */
  readonly phoneNumberId: string;
  readonly notification: Notification;
  /** Made of the upstream's ids alone: the same however often and in whatever company the event arrives. */
  readonly key: string;
  /** Epoch milliseconds. */
  readonly timestampMs: number;
}

/** Something that happened to a Flow; statuses are the upstream's words. */
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

/** A part that tells nobody anything: of a field that is not ours, or malformed. */
export interface IgnoredEvent {
  readonly kind: 'ignored';
  /** Absent when the part stands outside any field. */
  readonly field?: string;
  /** For the log; holds nothing of the part itself. */
  readonly reason: string;
}

export type UpstreamEvent = NotificationEvent | FlowEvent | IgnoredEvent;

/**
 * Takes a webhook body of the upstream's apart into its events, in order (Meta's page "Webhooks payload reference").
 * Never throws: a part that cannot be read is an `ignored` event and spoils no other.
 * @param receivedAt epoch milliseconds
 */
export function splitEvents(body: unknown, receivedAt: number): UpstreamEvent[] {
  if (!isObject(body) || !Array.isArray(body.entry)) return [ignored(undefined, 'no list of entries')];
  return body.entry.flatMap((entry) => splitEntry(entry, receivedAt));
}

interface Change {
  readonly field: string;
  readonly value: JsonObject;
  readonly entry: JsonObject;
  readonly receivedAt: number;
}

const Fields: ReadonlyMap<string, (change: Change) => UpstreamEvent[]> = new Map([
  ['messages', splitMessages],
  ['calls', splitCalls],
  ['flows', readFlow],
]);

function splitEntry(entry: unknown, receivedAt: number): UpstreamEvent[] {
  if (!isObject(entry) || !Array.isArray(entry.changes)) return [ignored(undefined, 'an entry has no list of changes')];
  return entry.changes.flatMap((change) => splitChange(change, entry, receivedAt));
}

function splitChange(change: unknown, entry: JsonObject, receivedAt: number): UpstreamEvent[] {
  if (!isObject(change) || typeof change.field !== 'string') return [ignored(undefined, 'a change has no field')];
  const { field, value } = change;
  const split = Fields.get(field);
  if (split === undefined) return [ignored(field, 'unknown field')];
  if (!isObject(value)) return [ignored(field, 'the value is no object')];
  return split({ field, value, entry, receivedAt });
}

function splitMessages(change: Change): UpstreamEvent[] {
  const { contacts, messages, statuses } = change.value;
  const contactOf = contactFinder(listOf(contacts), listOf(messages).length + listOf(statuses).length);
  return splitLists(change, {
    messages: (message) => readMessage(message, contactOf),
    statuses: (status) => readStatus(status, contactOf),
    errors: (error) => readError('error', error, change.entry),
  });
}

/** The errors of a call are its number's events like the call: those who get no calls get none of its errors. */
function splitCalls(change: Change): UpstreamEvent[] {
  const { contacts, calls, statuses } = change.value;
  const contactOf = contactFinder(listOf(contacts), listOf(calls).length + listOf(statuses).length);
  const callIds = [...listOf(calls), ...listOf(statuses)].filter(isObject).map(({ id }) => id);
  return splitLists(change, {
    calls: (call) => readCall(call, contactOf),
    statuses: (status) => readCallStatus(status, contactOf),
    errors: (error) => readError('call', error, change.entry, callIds.filter(isText)),
  });
}

/** What an item of a list says; undefined when it has no identity. */
type Reading = Pick<NotificationEvent, 'kind' | 'key' | 'notification'> & { readonly timestamp?: unknown };
type Reader = (item: JsonObject) => Reading | undefined;

function splitLists(change: Change, readers: Readonly<Record<string, Reader>>): UpstreamEvent[] {
  const { field, value } = change;
  const phoneNumberId = isObject(value.metadata) ? readId(value.metadata.phone_number_id) : undefined;
  if (phoneNumberId === undefined) return [ignored(field, 'no phone number id')];
  const lists = Object.entries(readers).filter(([name]) => value[name] !== undefined);
  if (lists.length === 0) return [ignored(field, 'nothing that is known')];
  return lists.flatMap(([name, read]) => splitList(change, { name, read, phoneNumberId }));
}

function splitList(change: Change, list: { name: string; read: Reader; phoneNumberId: string }): UpstreamEvent[] {
  const { field, value, entry, receivedAt } = change;
  const { name, read, phoneNumberId } = list;
  const items = value[name];
  if (!Array.isArray(items)) return [ignored(field, `${name} is no list`)];
  return items.map((item, index) => {
    const reading = isObject(item) ? read(item) : undefined;
    if (reading === undefined) return ignored(field, `${name}[${index}] cannot be identified`);
    const { timestamp, ...rest } = reading;
    return { ...rest, phoneNumberId, timestampMs: eventTime([timestamp, entry.time], receivedAt) };
  });
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

/**
 * In a group each participant brings a status of the same message. A parent id tells them apart where it is the only
 * one.
 */
function participantOf(status: JsonObject): string[] {
  const ids = [status.recipient_participant_id, status.recipient_participant_user_id].filter(isText);
  return ids.length > 0 ? ids : [status.recipient_participant_parent_user_id].filter(isText);
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
 * An error has no id: its content and the time of its entry, which the upstream's repeats keep, stand for one, and the
 * calls it comes with, for two may fail alike in one second. The code counts as a double, so that ids do not depend on
 * how it is written.
 */
function readError(
  kind: 'error' | 'call',
  item: JsonObject,
  entry: JsonObject,
  callIds: readonly string[] = [],
): Reading | undefined {
  const error = normaliseError(item);
  if (error === undefined) return undefined;
  const content = JSON.stringify([readId(entry.time), { ...error, code: toDouble(error.code) }, ...callIds]);
  const key = keyOf(`${kind}-content`, createHash('sha256').update(content).digest('base64url'));
  return { kind, key, notification: errorNotification(error) };
}

function readFlow({ field, value, entry, receivedAt }: Change): UpstreamEvent[] {
  const { event, old_status: oldStatus, new_status: newStatus } = value;
  const wabaId = readId(entry.id);
  const flowWaId = readId(value.flow_id);
  if (wabaId === undefined || flowWaId === undefined || !isText(event)) {
    return [ignored(field, 'no account, Flow or event')];
  }
  const statuses = { ...(isText(oldStatus) && { oldStatus }), ...(isText(newStatus) && { newStatus }) };
  return [{ kind: 'flow', wabaId, flowWaId, event, ...statuses, timestampMs: eventTime([entry.time], receivedAt) }];
}

function ignored(field: string | undefined, reason: string): IgnoredEvent {
  return { kind: 'ignored', ...(field !== undefined && { field }), reason };
}

function keyOf(...parts: string[]): string {
  return parts.join(':');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** What the upstream's ids look like; most are digits. Other text could not be part of a key of the table. */
const Id = /^[\w.:-]{1,128}$/;

/** The upstream writes an id as text, now and then as a number. */
function readId(value: unknown): string | undefined {
  const id = isNumber(value) ? idText(toDouble(value), numberText(value)) : value;
  return typeof id === 'string' && Id.test(id) ? id : undefined;
}

/** A number's digits, however it is written; beyond 2^53 only those of a plain integer can be trusted. */
function idText(value: number, written: string): string | undefined {
  if (Number.isSafeInteger(value)) return String(value);
  return /^\d+$/.test(written) ? written : undefined;
}
