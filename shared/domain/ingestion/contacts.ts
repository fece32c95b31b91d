import { isObject, type JsonObject } from '#shared/base/json/json-object.ts';

/**
 * The members in which messages, statuses and calls identify the user: by phone number or, if only the username is
 * known, by user id. Calls identify both sides; the business is never among the contacts. The ids of a user within one
 * portfolio of businesses ("parent" ids) come last.
 */
const ownerMembers = [
  'from',
  'from_user_id',
  'to',
  'to_user_id',
  'recipient_id',
  'recipient_user_id',
  'recipient_participant_id',
  'recipient_participant_user_id',
  'from_parent_user_id',
  'to_parent_user_id',
  'recipient_parent_user_id',
  'recipient_participant_parent_user_id',
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
    for (const id of ids) if (typeof id === 'string') byId.set(id, contact);
  }
  return (item) => ownerMembers.map((member) => byId.get(item[member])).find((contact) => contact !== undefined);
}

/**
 * Builds the contact of a status without one from the ids of its recipient. It has no profile, because its name is
 * unknown. Returns `undefined` when the status identifies no contact, or a whole group.
 */
export function recipientOf(status: JsonObject): JsonObject | undefined {
  const named = (member: string, shape: RegExp) =>
    [status[`recipient_participant_${member}`], status[`recipient_${member}`]].find(
      (id) => typeof id === 'string' && shape.test(id),
    );
  const ids = {
    wa_id: named('id', /^\d+$/),
    user_id: named('user_id', /./),
    parent_user_id: named('parent_user_id', /./),
  };
  const present = Object.entries(ids).filter(([, id]) => id !== undefined);
  return present.length === 0 ? undefined : Object.fromEntries(present);
}
