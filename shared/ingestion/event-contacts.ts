import { isObject, type JsonObject, writeJson } from '#shared/base/json.ts';
import { idOf } from './normalise.ts';

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
export const calleeOf = (echo: JsonObject) => contactFrom(echo, [callee]);

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
export function participantOf(status: JsonObject): string[] {
  const roles = status.recipient_type === 'group' ? [participant, { ...recipient, wa_id: [] }] : [participant];
  const find = (kind: keyof IdMembers) =>
    textsOf(roles.flatMap((role) => role[kind]).map((name) => status[name])).slice(0, 1);
  const ids = [...find('wa_id'), ...find('user_id')];
  return ids.length > 0 ? ids : find('parent_user_id');
}
