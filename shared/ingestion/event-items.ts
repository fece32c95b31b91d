import { isObject, isText, type JsonObject, own, toDouble, writeJson } from '#shared/base/json.ts';
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

/** The names under which an item gives an id of a user, for each kind of id; the first one present counts. */
interface IdMembers {
  readonly wa_id: readonly string[];
  readonly user_id: readonly string[];
  /** The id of a user within one portfolio of businesses. */
  readonly parent_user_id: readonly string[];
}

/**
 * A participant of a group whose phone got or showed a message. Meta's page "Groups: webhooks" has both spellings of the
 * phone number; "Business-scoped user IDs" has the others beginning with `recipient`.
 */
const participant: IdMembers = {
  wa_id: ['recipient_participant_id', 'participant_recipient_id'],
  user_id: ['recipient_participant_user_id', 'participant_recipient_user_id'],
  parent_user_id: ['recipient_participant_parent_user_id', 'participant_recipient_parent_user_id'],
};

/** The recipient of a message. "Business-scoped user IDs" has three spellings of the parent id. */
const recipient: IdMembers = {
  wa_id: ['recipient_id'],
  user_id: ['recipient_user_id'],
  parent_user_id: ['recipient_parent_user_id', 'parent_recipient_user_id', 'parent_user_id'],
};

const sender: IdMembers = { wa_id: ['from'], user_id: ['from_user_id'], parent_user_id: ['from_parent_user_id'] };
const callee: IdMembers = { wa_id: ['to'], user_id: ['to_user_id'], parent_user_id: ['to_parent_user_id'] };

const roles = [sender, callee, recipient, participant];

/**
 * The members in which messages, statuses and calls identify the user: by phone number or, if only the username is
 * known, by user id. Calls identify both sides; the business is never among the contacts. Parent ids come last.
 */
const ownerMembers = [
  ...roles.flatMap(({ wa_id, user_id }) => [...wa_id, ...user_id]),
  ...roles.flatMap(({ parent_user_id }) => parent_user_id),
];

/** Finds the contact that belongs to a message, a status or a call. */
export type ContactFinder = (item: JsonObject) => JsonObject | undefined;

/**
 * Indexes the contacts of one upstream value. A single contact, which may occur once for each item, belongs to a single
 * item, and to several items of one person, whatever their ids. Otherwise an item has to name its contact, if need be in
 * another form of the same number.
 * @param items the messages, statuses or calls of the value
 */
export function contactFinder(contacts: readonly unknown[], items: readonly unknown[]): ContactFinder {
  const objects = [...new Map(contacts.filter(isObject).map((contact) => [writeJson(contact), contact])).values()];
  const [only] = objects;
  if (objects.length === 1 && (items.length === 1 || areOfOnePerson(items))) return () => only;

  const byId = new Map<string, JsonObject>();
  const byForm = new Map<string, JsonObject>();
  for (const contact of objects) {
    for (const id of textsOf([contact.wa_id, contact.user_id, contact.parent_user_id])) {
      byId.set(id, contact);
      byForm.set(commonForm(id), contact);
    }
  }
  return (item) => {
    const ids = ownersOf(item);
    const find = (index: ReadonlyMap<string, JsonObject>, names: readonly string[]) =>
      names.map((name) => index.get(name)).find((contact) => contact !== undefined);
    return find(byId, ids) ?? find(byForm, ids.map(commonForm));
  };
}

const textsOf = (ids: readonly unknown[]) => ids.map(idOf).filter((id) => id !== undefined);

const ownersOf = (item: JsonObject) => textsOf(ownerMembers.map((member) => item[member]));

function areOfOnePerson(items: readonly unknown[]): boolean {
  const persons = new Set(items.map((item) => (isObject(item) ? ownersOf(item).map(commonForm).join(' ') : '')));
  return persons.size === 1 && !persons.has('');
}

/**
 * One form for the two in which the upstream writes mobile numbers of Mexico (521… and 52…), Argentina (549… and 54…)
 * and Brazil (with and without the ninth digit). Brazilian numbers that were mobile before the ninth digit begin with 6
 * to 9; without it, others would look like a landline.
 */
function commonForm(id: string): string {
  return id
    .replace(/^521(?=\d{10}$)/, '52')
    .replace(/^549(?=\d{10}$)/, '54')
    .replace(/^(55\d\d)9(?=[6-9]\d{7}$)/, '$1');
}

/**
 * Returns the contacts that belong to none of the messages, statuses and calls that came with them. The
 * same contact may occur once for each of its items.
 */
export function unreferencedContacts(
  contacts: readonly unknown[],
  items: readonly unknown[],
  contactOf: ContactFinder,
): readonly unknown[] {
  const owned = new Set<unknown>(items.map((item) => (isObject(item) ? contactOf(item) : undefined)));
  const others = contacts.filter((contact) => !owned.has(contact));
  if (others.length === 0) return others;
  const texts = new Set([...owned].map(writeJson));
  return others.filter((contact) => !texts.has(writeJson(contact)));
}

/** The contact of a message without one: the ids of its sender. */
export const senderOf = (message: JsonObject) => contactFrom(message, [sender]);

/** The contact of an echo without one: the ids of the person to whom it went. */
const calleeOf = (echo: JsonObject) => contactFrom(echo, [callee]);

/** The contact of a status without one: the ids of its recipient, or of the participant of a group. */
export const recipientOf = (status: JsonObject) => contactFrom(status, [participant, recipient]);

/**
 * Builds a contact from ids. It has no profile, because its name is unknown. Returns `undefined` when the item
 * identifies no contact, or a whole group.
 */
function contactFrom(item: JsonObject, roles: readonly IdMembers[]): JsonObject | undefined {
  const find = (kind: keyof IdMembers, shape: RegExp) =>
    textsOf(roles.flatMap((role) => role[kind]).map((name) => item[name])).find((id) => shape.test(id));
  const ids = {
    wa_id: find('wa_id', /^\d+$/),
    user_id: find('user_id', /./),
    parent_user_id: find('parent_user_id', /./),
  };
  const present = Object.entries(ids).filter(([, id]) => id !== undefined);
  return present.length === 0 ? undefined : Object.fromEntries(present);
}

/**
 * Returns the ids that tell a participant of a group from the others, in whatever spelling; none for a message to one
 * person. Each participant causes a separate status of the same message. A group has no user id, so a status about it
 * that has one means the participant. The parent id counts only if there is no other id.
 */
function participantOf(status: JsonObject): string[] {
  const roles = status.recipient_type === 'group' ? [participant, { ...recipient, wa_id: [] }] : [participant];
  const find = (kind: keyof IdMembers) =>
    textsOf(roles.flatMap((role) => role[kind]).map((name) => status[name])).slice(0, 1);
  const ids = [...find('wa_id'), ...find('user_id')];
  return ids.length > 0 ? ids : find('parent_user_id');
}
