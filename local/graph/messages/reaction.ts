import { dayMs } from '#shared/base/time/duration.ts';
import type { Inbox } from './inbox.ts';
import type { SentMessage } from './message.ts';
import type { Outbox } from './outbox.ts';

const longestMs = 30 * dayMs;

interface Conversation {
  readonly inbox: Inbox;
  readonly outbox: Outbox;
  readonly now: number;
}

/**
 * Whether the conversation has the message that a reaction is for. It must not be older than 30 days nor a reaction
 * itself (Meta's page "Reaction messages").
 */
export function canReact(
  { content, contact, phone_number_id, recipient_type }: SentMessage,
  { inbox, outbox, now }: Conversation,
): boolean {
  const id: string = Object(content).message_id;
  const message = inbox.get(id) ?? outbox.find(id);
  if (message === undefined || message.phone_number_id !== phone_number_id || message.type === 'reaction') return false;
  if ('sent_at' in message && message.sent_at + longestMs < now) return false;
  return recipient_type === 'group' || message.contact === contact;
}
