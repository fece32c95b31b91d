import { isObject, type JsonObject } from '#shared/base/json/json-object.ts';

/**
 * Where messages, statuses and calls name the user, by phone number or, for those known by username only, by user id.
 * Calls name both sides; the business is never among the contacts. The ids of a user within one portfolio of businesses
 * ("parent" ids) come last.
 */
const OwnerMembers = [
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
 * @param itemCount how many messages, statuses or calls they are for: a single contact belongs to the only one,
 * whatever its ids
 */
export function contactFinder(contacts: readonly unknown[], itemCount: number): ContactFinder {
  const known = contacts.filter(isObject);
  const [only] = known;
  if (known.length === 1 && itemCount === 1) return () => only;

  const byId = new Map<unknown, JsonObject>();
  for (const contact of known) {
    const ids = [contact.wa_id, contact.user_id, contact.parent_user_id];
    for (const id of ids) if (typeof id === 'string') byId.set(id, contact);
  }
  return (item) => OwnerMembers.map((member) => byId.get(item[member])).find((contact) => contact !== undefined);
}

/**
 * The contact of a status for which the upstream names none: the ids of its recipient, as the status gives them. It has
 * no profile, for a name would be made up. Undefined when the status names nobody, or a whole group.
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
  const known = Object.entries(ids).filter(([, id]) => id !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
