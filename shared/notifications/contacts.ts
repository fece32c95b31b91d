import { isObject, type JsonObject } from '../json/json-object.ts';

/** Where messages and statuses name the user, by phone number or, for those known by username only, by user id. */
const OWNER_MEMBERS = [
  'from',
  'from_user_id',
  'recipient_id',
  'recipient_user_id',
  'recipient_participant_id',
  'recipient_participant_user_id',
];

/** Finds the contact that belongs to a message or a status. */
export type ContactFinder = (item: JsonObject) => JsonObject | undefined;

/**
 * Indexes the contacts of one upstream value.
 * @param itemCount how many messages and statuses they are for: a single contact belongs to the only one, whatever its ids
 */
export function contactFinder(contacts: readonly unknown[], itemCount: number): ContactFinder {
  const known = contacts.filter(isObject);
  const [only] = known;
  if (known.length === 1 && itemCount === 1) return () => only;

  const byId = new Map<unknown, JsonObject>();
  for (const contact of known) {
    for (const id of [contact.wa_id, contact.user_id]) if (typeof id === 'string') byId.set(id, contact);
  }
  return (item) => OWNER_MEMBERS.map((member) => byId.get(item[member])).find((contact) => contact !== undefined);
}
