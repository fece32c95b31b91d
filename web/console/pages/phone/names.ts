import type { Snapshot } from '../../snapshot.ts';

export function numberName(phoneNumberId: string, { world }: Snapshot): string {
  const number = world.numbers.find(({ phone_number_id }) => phone_number_id === phoneNumberId);
  return number?.display_phone_number ?? phoneNumberId;
}

/** A username if the contact has one, otherwise the phone number or the user id. */
export function contactName(contact: string, { contacts }: Snapshot): string {
  const known = contacts.get(contact);
  if (known?.username) return `@${known.username}`;
  return /^\d+$/.test(contact) ? `+${contact}` : contact;
}
