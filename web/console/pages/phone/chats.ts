import type { Call } from '#local/graph/calls/calls.ts';
import type { ReceivedMessage } from '#local/graph/messages/inbox.ts';
import type { SentMessage } from '#local/graph/messages/message.ts';
import type { Snapshot } from '../../snapshot.ts';

/** What happened in a chat. `sent` is by the business, `received` by the contact. */
export type Entry =
  | { readonly kind: 'sent'; readonly at: number; readonly message: SentMessage }
  | { readonly kind: 'received'; readonly at: number; readonly message: ReceivedMessage }
  | { readonly kind: 'call'; readonly at: number; readonly call: Call };

/** The conversation of a number and a contact. */
export interface Chat {
  readonly phoneNumberId: string;
  readonly contact: string;
  /** Oldest first, without reactions. */
  readonly entries: readonly Entry[];
  /** The latest reaction to a message, by the message and by who reacted. */
  readonly reactions: ReadonlyMap<string, { readonly sent?: string; readonly received?: string }>;
}

export const keyOf = ({ phoneNumberId, contact }: Pick<Chat, 'phoneNumberId' | 'contact'>) =>
  `${phoneNumberId}/${contact}`;

/** All chats, that with the latest entry first. */
export function chatsOf({ messages, inbox, calls }: Snapshot): Chat[] {
  const entries: Entry[] = [
    ...[...messages.values()].map((message) => ({ kind: 'sent' as const, at: message.sent_at, message })),
    ...[...inbox.values()].map((message) => ({ kind: 'received' as const, at: message.received_at, message })),
    ...[...calls.values()].map((call) => ({ kind: 'call' as const, at: call.started_at, call })),
  ].toSorted((one, other) => one.at - other.at);
  const grouped = Map.groupBy(entries, (entry) => {
    const { phone_number_id: phoneNumberId, contact } = entry.kind === 'call' ? entry.call : entry.message;
    return keyOf({ phoneNumberId, contact });
  });
  return [...grouped].map(([key, own]) => chatOf(key, own)).toSorted((one, other) => lastAt(other) - lastAt(one));
}

/** A chat in which nothing has happened yet. */
export const emptyChat = (phoneNumberId: string, contact: string): Chat => ({
  phoneNumberId,
  contact,
  entries: [],
  reactions: new Map(),
});

const lastAt = ({ entries }: Chat) => entries.at(-1)?.at ?? 0;

function chatOf(key: string, entries: readonly Entry[]): Chat {
  const [phoneNumberId = '', contact = ''] = key.split('/');
  const reactions = new Map<string, { sent?: string; received?: string }>();
  for (const entry of entries) {
    if (entry.kind === 'call' || entry.message.type !== 'reaction') continue;
    const { message_id, emoji = '' } = entry.message.content as { message_id: string; emoji?: string };
    reactions.set(message_id, { ...reactions.get(message_id), [entry.kind]: emoji });
  }
  const shown = entries.filter((entry) => entry.kind === 'call' || entry.message.type !== 'reaction');
  return { phoneNumberId, contact, entries: shown, reactions };
}

/** The beginning of an entry, for the list of chats. */
export function summaryOf(entry: Entry | undefined): string {
  if (entry === undefined) return 'No messages yet';
  if (entry.kind === 'call') return 'Call';
  const { type, content } = entry.message;
  const { body, caption, name } = Object(content) as Record<string, unknown>;
  const inner = Object(body);
  const text = [typeof body === 'string' ? body : inner.text, caption, name].find((one) => typeof one === 'string');
  return typeof text === 'string' && text !== '' ? text : type;
}
