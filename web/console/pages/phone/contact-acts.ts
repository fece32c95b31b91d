import { sendJson, sendText } from '../../http.ts';
import { type ChatKey, isGroup } from './chats.ts';

/** What the contact does on the phone: the simulated platform tells the service of it. */

type Event = Readonly<Record<string, unknown>> & { readonly type: string };

/** Sends an event of the contact, such as a message. */
export function sendEvent({ phoneNumberId, contact }: ChatKey, event: Event): Promise<unknown> {
  // Somebody of the group, whom the simulated platform knows by default.
  const sender = isGroup(contact) ? { group_id: contact } : { contact: personOf(contact) };
  const events = [{ phone_number_id: phoneNumberId, ...sender, ...event }];
  return sendJson('POST', '/simulator/events', { events });
}

const personOf = (contact: string) => (/^\d+$/.test(contact) ? { wa_id: contact } : { user_id: contact });

/** The context of a reply to a message of the business, or of the contact. */
export const replyTo = (id: string, from: string) => ({ context: { from: from.replace(/\D/g, ''), id } });

/** The platform's types of files, by the media types that they have. Everything else is a document. */
const fileTypes = [
  { pattern: /^image\/webp$/, type: 'sticker' },
  { pattern: /^image\//, type: 'image' },
  { pattern: /^video\//, type: 'video' },
  { pattern: /^audio\/ogg/, type: 'voice' },
  { pattern: /^audio\//, type: 'audio' },
] as const;

const typeOf = ({ type }: File) => fileTypes.find(({ pattern }) => pattern.test(type))?.type ?? 'document';

export const takesCaption = (file: File) => ['image', 'video', 'document'].includes(typeOf(file));

/** Sends a file, which the platform then keeps for the business to download. */
export async function sendFile(chat: ChatKey, file: File, caption: string, context: object): Promise<void> {
  const mime_type = file.type || 'application/octet-stream';
  const base64 = await base64Of(file);
  const body = { phone_number_id: chat.phoneNumberId, mime_type, base64 };
  // A browser copies a text of many megabytes while everything else waits, and reads a blob meanwhile.
  const response = await sendText('POST', '/simulator/media', new Blob([JSON.stringify(body)]));
  const { id } = JSON.parse(response) as { id: string };
  const type = typeOf(file);
  const described = {
    ...(caption !== '' && { caption }),
    ...(type === 'image' && caption === '' && { caption: null }),
    ...(type === 'document' && { filename: file.name }),
  };
  await sendEvent(chat, { type, media_id: id, [type === 'voice' ? 'audio' : type]: described, ...context });
}

function base64Of(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^.*?,/, ''));
  reader.onerror = () => reject(new Error('The file cannot be read.'));
  reader.readAsDataURL(file);
  return promise;
}

/** The phone or the person marks a message of the business. */
export const mark = (id: string, status: 'delivered' | 'read' | 'played') => addStatus(id, status);

export const markFailed = (id: string, code: number) => addStatus(id, { status: 'failed', code });

const addStatus = (id: string, status: unknown) =>
  sendJson('POST', `/simulator/messages/${encodeURIComponent(id)}/statuses`, { statuses: [status] });

export const shareContact = (id: string) =>
  sendJson('POST', `/simulator/messages/${encodeURIComponent(id)}/share-contact`);

export const answerPermission = (
  { phoneNumberId, contact }: ChatKey,
  answer: { readonly response: 'accept' | 'reject'; readonly is_permanent?: boolean },
) => sendJson('POST', `/simulator/call-permissions/${phoneNumberId}/${contact}/reply`, answer);

export const call = ({ phoneNumberId, contact }: ChatKey) =>
  sendJson('POST', '/simulator/calls', { phone_number_id: phoneNumberId, from: contact });

export const actOnCall = (id: string, act: 'answer' | 'reject' | 'hang-up' | 'no-answer' | 'voicemail') =>
  sendJson('POST', `/simulator/calls/${encodeURIComponent(id)}/${act}`);

export const setWindow = ({ phoneNumberId, contact }: ChatKey, open: boolean) =>
  sendJson('PUT', `/simulator/windows/${phoneNumberId}/${contact}`, { open });
