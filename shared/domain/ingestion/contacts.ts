import { isObject, isText, type JsonObject } from '#shared/base/json/json-object.ts';
import { writeJson } from '#shared/base/json/write-json.ts';

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
 * Indexes the contacts of one upstream value.
 * @param itemCount how many messages, statuses or calls the value has; a single contact belongs to a single item,
 *   whatever its ids
 */
export function contactFinder(contacts: readonly unknown[], itemCount: number): ContactFinder {
  const objects = contacts.filter(isObject);
  const [only] = objects;
  if (objects.length === 1 && itemCount === 1) return () => only;

  const byId = new Map<unknown, JsonObject>();
  for (const contact of objects) {
    const ids = [contact.wa_id, contact.user_id, contact.parent_user_id];
    for (const id of ids.filter(isText)) byId.set(id, contact);
  }
  return (item) => ownerMembers.map((member) => byId.get(item[member])).find((contact) => contact !== undefined);
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

/**
 * Builds the contact of a status without one from the ids of its recipient. It has no profile, because its name is
 * unknown. Returns `undefined` when the status identifies no contact, or a whole group.
 */
export function recipientOf(status: JsonObject): JsonObject | undefined {
  const find = (kind: keyof IdMembers, shape: RegExp) =>
    [...participant[kind], ...recipient[kind]].map((name) => status[name]).find((id) => isText(id) && shape.test(id));
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
    roles
      .flatMap((role) => role[kind])
      .map((name) => status[name])
      .filter(isText)
      .slice(0, 1);
  const ids = [...find('wa_id'), ...find('user_id')];
  return ids.length > 0 ? ids : find('parent_user_id');
}
