import { newId } from '#shared/base/ids.ts';
import { hubSignature, hubSignatureHeader } from '#shared/webhooks/webhook-signature.ts';

/** A typical message of a simulated user, as long as most are. */
const text = 'Good morning! Is the appointment on Thursday at ten still free, and may I bring my sister along?';

const contact = { profile: { name: 'Kerry Fisher' }, wa_id: '16505551234' };

/** Creates a text message of the upstream with a unique id. */
export function textMessage() {
  const timestamp = String(Math.floor(Date.now() / 1000));
  return { from: contact.wa_id, id: `wamid.${newId()}`, timestamp, type: 'text', text: { body: text } };
}

export type TextMessage = ReturnType<typeof textMessage>;

/** Creates a signed upstream request with these messages. */
export function signedEvent(phoneNumberId: string, messages: readonly TextMessage[], appSecret: string) {
  const metadata = { display_phone_number: '15550000000', phone_number_id: phoneNumberId };
  const value = { messaging_product: 'whatsapp', metadata, contacts: [contact], messages };
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '100000000000001', changes: [{ field: 'messages', value }] }],
  });
  return {
    headers: { 'content-type': 'application/json', [hubSignatureHeader]: hubSignature(body, appSecret) },
    body,
  };
}
