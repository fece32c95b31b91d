import { isObject, isText, type JsonObject, own, toDouble } from '#shared/base/json.ts';
import { type ContactFinder, calleeOf, participantOf, recipientOf, senderOf } from './event-contacts.ts';
import type { MetaItem } from './meta-value.ts';
import {
  callMedia,
  callNotification,
  callStatusNotification,
  comparable,
  digest,
  echoNotification,
  errorNotification,
  idOf,
  messageNotification,
  type Notification,
  normaliseError,
  readId,
  statusNotification,
  timestampsIn,
} from './normalise.ts';

/** An event for a number's receivers. `targetsFor` says which of them get it. */
export interface NotificationEvent {
  readonly kind: 'message' | 'status' | 'error' | 'call' | 'echo';
  /** The upstream's id of the number. */
  readonly phoneNumberId: string;
  readonly notification: Notification;
  /** The change that contained the event. It goes to the workspaces if the number is unknown. */
  readonly change: KnownChange;
  /** The item as the platform sent it, for targets in Meta's format. */
  readonly source: MetaItem;
  /** Built only from the upstream's ids, so it stays the same if the event arrives again or with other events. */
  readonly key: string;
  /** Epoch milliseconds. */
  readonly timestampMs: number;
}

/** An element of the upstream's `entry[].changes[]`. */
export interface Change<Value = unknown> {
  readonly field: string;
  readonly value: Value;
  readonly entry: JsonObject;
  readonly receivedAt: number;
}

export type KnownChange = Change<JsonObject>;

export type NotificationReading = Pick<NotificationEvent, 'kind' | 'key' | 'notification'> & {
  /** As the platform sent it. */
  readonly contact?: JsonObject | undefined;
  /** The calls that came with an error and say when it happened. */
  readonly calls?: readonly JsonObject[];
};

export function readMessage(message: JsonObject, contactOf: ContactFinder): NotificationReading | undefined {
  const id = idOf(message.id);
  if (id === undefined) return undefined;
  const contact = contactOf(message);
  const notification = messageNotification(message, contact ?? senderOf(message));
  return { kind: 'message', key: keyOf('message', id), notification, contact };
}

export function readEcho(echo: JsonObject, contactOf: ContactFinder): NotificationReading | undefined {
  const id = idOf(echo.id);
  if (id === undefined) return undefined;
  const contact = contactOf(echo);
  const notification = echoNotification(echo, contact ?? calleeOf(echo));
  return { kind: 'echo', key: keyOf('echo', id), notification, contact };
}

/**
 * A message has a status of each name once for each participant of a group. Statuses of another type may use the same
 * names, and one message may be paid in several transactions, each with its states and refunds.
 */
export function readStatus(item: JsonObject, contactOf: ContactFinder): NotificationReading | undefined {
  const { status, payment } = item;
  const id = idOf(item.id);
  if (id === undefined || !isText(status)) return undefined;
  const kind = [item.type].filter(isText);
  const paid = isObject(payment) ? [digest(comparable(payment))] : [];
  const contact = contactOf(item);
  const notification = statusNotification(item, contact ?? recipientOf(item));
  const key = keyOf('status', id, status, ...participantOf(item), ...kind, ...paid);
  return { kind: 'status', key, notification, contact };
}

export function readCall(call: JsonObject, contactOf: ContactFinder): NotificationReading | undefined {
  const { event } = call;
  const id = idOf(call.id);
  if (id === undefined || !isText(event)) return undefined;
  const contact = contactOf(call);
  const key = keyOf('call', id, event, ...filesOf(call));
  return { kind: 'call', key, notification: callNotification(call, contact), contact };
}

/** The ids of a call's recordings and transcripts: a call may have several. */
function filesOf(call: JsonObject): string[] {
  return [...callMedia].flatMap((name) => {
    const media = call[name];
    const files = isObject(media) ? [media, ...Object.values(media)] : [];
    return files.map((file) => idOf(own(file, 'id'))).filter((id) => id !== undefined);
  });
}

export function readCallStatus(item: JsonObject, contactOf: ContactFinder): NotificationReading | undefined {
  const { status } = item;
  const id = idOf(item.id);
  if (id === undefined || !isText(status)) return undefined;
  const contact = contactOf(item);
  const notification = callStatusNotification(item, contact);
  return { kind: 'call', key: keyOf('call-status', id, status), notification, contact };
}

/**
 * An error has no id, so its content and its time identify it; the upstream's repeats keep both. The ids of the calls
 * that come with it are added, because two calls may fail alike in the same second. Where nothing tells two alike
 * apart, as in Meta's examples of messages, whose entries have no time, each arrival is an error of its own: one too
 * many is better than one that never arrives. The code counts as a double, so that ids do not depend on its notation.
 */
export function readError(
  kind: 'error' | 'call',
  item: JsonObject,
  { entry, receivedAt }: KnownChange,
  calls: readonly JsonObject[] = [],
): NotificationReading | undefined {
  const error = normaliseError(item);
  if (error === undefined) return undefined;
  const callIds = calls.map(({ id }) => idOf(id)).filter((id) => id !== undefined);
  const [ownTime] = timestampsIn(item);
  const time = readId(entry.time) ?? readId(ownTime) ?? (callIds.length === 0 ? receivedAt : undefined);
  const content = [time, { ...error, code: toDouble(error.code) }, ...callIds];
  const key = keyOf(`${kind}-content`, digest(content));
  return { kind, key, notification: errorNotification(error), calls };
}

export function keyOf(...parts: string[]): string {
  return parts.join(':');
}

/** An item that the workspaces get: the change's value with this item only. */
export interface FieldReading {
  readonly value: JsonObject;
}

/** A click in a marketing message. The upstream may put several into one value. */
export function readAction(action: JsonObject, { value }: KnownChange, contactOf: ContactFinder): FieldReading {
  const contact = contactOf(action);
  const { messaging_product, metadata } = value;
  return { value: { messaging_product, metadata, ...(contact && { contacts: [contact] }), user_actions: [action] } };
}

/** The times that the upstream gives an event, the best first. Only what has no other needs a search for it. */
export function* timesOf(ownTime: unknown, entry: JsonObject, content: unknown): Generator<unknown> {
  yield ownTime;
  yield entry.time;
  yield* timestampsIn(content);
}
