import { createHmac } from 'node:crypto';
import { newId } from '#shared/base/ids.ts';

/** What a simulated user writes: as long as most messages are. */
const text = 'Good morning! Is the appointment on Thursday at ten still free, and may I bring my sister along?';

const contact = { profile: { name: 'Kerry Fisher' }, wa_id: '16505551234' };

/** A text message of the upstream's, with an id of its own. */
export function textMessage() {
  const timestamp = String(Math.floor(Date.now() / 1000));
  return { from: contact.wa_id, id: `wamid.${newId()}`, timestamp, type: 'text', text: { body: text } };
}

export type TextMessage = ReturnType<typeof textMessage>;

/** The notification that a receiver gets of a message. */
export function notificationOf(message: TextMessage): string {
  return JSON.stringify({ contacts: [contact], messages: [message] });
}

/** A request of the upstream's that brings these messages, with its signature. */
export function signedEvent(phoneNumberId: string, messages: readonly TextMessage[], appSecret: string) {
  const metadata = { display_phone_number: '15550000000', phone_number_id: phoneNumberId };
  const value = { messaging_product: 'whatsapp', metadata, contacts: [contact], messages };
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '100000000000001', changes: [{ field: 'messages', value }] }],
  });
  const signature = createHmac('sha256', appSecret).update(body).digest('hex');
  return {
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
    body,
  };
}
