import type { Snapshot } from '../../snapshot.ts';
import { isGroup } from './chats.ts';

export function numberName(phoneNumberId: string, { world }: Snapshot): string {
  const number = world.numbers.find(({ phone_number_id }) => phone_number_id === phoneNumberId);
  return number?.display_phone_number ?? phoneNumberId;
}

/** The name of the number's workspace stands for that of the business. */
export function businessName(phoneNumberId: string, snapshot: Snapshot): string {
  const { numbers, workspaces } = snapshot.world;
  const number = numbers.find(({ phone_number_id }) => phone_number_id === phoneNumberId);
  return workspaces.find(({ id }) => id === number?.workspace)?.name ?? numberName(phoneNumberId, snapshot);
}

/** A username if the contact has one, otherwise the phone number or the user id. */
export function contactName(contact: string, { contacts }: Snapshot): string {
  const person = contacts.get(contact);
  if (person?.username) return `@${person.username}`;
  if (isGroup(contact)) return `Group ${contact}`;
  return /^\d+$/.test(contact) ? `+${contact}` : contact;
}

/** The name that the contact has chosen, if it has one of its own. */
export const givenName = (contact: string, { contacts }: Snapshot): string => contacts.get(contact)?.name ?? '';

/** How people know a contact: by name, if it has one of its own. */
export const personName = (contact: string, snapshot: Snapshot): string =>
  givenName(contact, snapshot) || contactName(contact, snapshot);

/** How people know a subscriber: the displayed number, or the name of the workspace. */
export function subscriberName(id: string, { numbers, workspaces }: Snapshot['world']): string {
  const number = numbers.find((one) => one.id === id);
  return number?.display_phone_number ?? workspaces.find((one) => one.id === id)?.name ?? id;
}

/** The contact who plays the first conversation, and who gets a Flow that is tried out. */
export const sampleContact = '5511988887777';
