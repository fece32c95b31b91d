import type { BusinessNumber } from '../core/accounts.ts';
import { type ContactMember, isUserId, phoneDigits, sampleContact } from '../core/contacts.ts';
import { buildEvent, type Change } from '../events/events.ts';
import type { SentMessage } from './message.ts';

/** The response of a contact who was asked for the phone number (Meta's page "Contacts messages"). */
export function sharedContact(
  { id, contact }: SentMessage,
  { number, person }: { readonly number: BusinessNumber; readonly person: ContactMember },
  now: number,
): Change {
  const wa_id = isUserId(contact) ? sampleContact : contact;
  const card = { origin: 'contact_request', phones: [{ phone: `+${wa_id}`, wa_id, type: 'CELL' }] };
  const context = { from: phoneDigits(number.displayPhoneNumber), id };
  return buildEvent({ type: 'contact_request_reply', contact: person, context, contacts: [card] }, number, now);
}

/** Whether the message asks for the phone number. */
export function asksForContact({ content }: SentMessage): boolean {
  return Object(content).type === 'request_contact_info';
}
