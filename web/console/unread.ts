import type { Snapshot } from './snapshot.ts';

/** When the newest message of each chat that somebody has looked at came, by the key of the chat. */
const seen = new Map<string, number>();

/** What came before is not news. */
const openedAt = Date.now();

const keyOf = (phoneNumberId: string, contact: string) => `${phoneNumberId} ${contact}`;

/** Everything in the chat has been looked at. */
export const markRead = (phoneNumberId: string, contact: string) => seen.set(keyOf(phoneNumberId, contact), Date.now());

/** How many messages of the business nobody has looked at: all, or those of a chat. */
export function countUnread({ messages }: Snapshot, chat?: { phoneNumberId: string; contact: string }): number {
  let count = 0;
  for (const { phone_number_id, contact, sent_at } of messages.values()) {
    const isOther = chat !== undefined && (chat.phoneNumberId !== phone_number_id || chat.contact !== contact);
    if (!isOther && sent_at > (seen.get(keyOf(phone_number_id, contact)) ?? openedAt)) count += 1;
  }
  return count;
}
