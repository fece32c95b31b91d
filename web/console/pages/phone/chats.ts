import type { Call, ReceivedMessage, SentMessage } from '#local/console/console-values.ts';
import type { Snapshot } from '../../snapshot.ts';
import { members, textOf } from './message/read-content.ts';
import { summaryOf } from './message/summary.ts';

/** What a later message or tap of either side has done to a message. */
export interface Changes {
  readonly reactions: string;
  /** The beginning of the message that this one answers. */
  readonly quoted?: string | undefined;
  readonly isPinned?: boolean;
  readonly isEdited?: boolean;
  readonly isDeleted?: boolean;
}

/** What happened in a chat. `sent` is by the business, `received` by the contact. */
export type Entry =
  | ({ readonly kind: 'sent'; readonly at: number; readonly message: SentMessage } & Changes)
  | ({ readonly kind: 'received'; readonly at: number; readonly message: ReceivedMessage } & Changes)
  | { readonly kind: 'call'; readonly at: number; readonly call: Call };

export interface ChatKey {
  readonly phoneNumberId: string;
  /** A phone number, a user id, or the id of a group. */
  readonly contact: string;
}

/** The conversation of a number and a contact or a group. */
export interface Chat extends ChatKey {
  /** Oldest first. What only changes another message is part of that message. */
  readonly entries: readonly Entry[];
}

/** The part of the page's address that names the chat. */
export const keyOf = ({ phoneNumberId, contact }: ChatKey) => `${phoneNumberId}/${encodeURIComponent(contact)}`;

export const isGroup = (contact: string) => !/^\d+$|^[A-Z]{2}\./.test(contact);

type Happened =
  | { readonly kind: 'sent'; readonly at: number; readonly message: SentMessage }
  | { readonly kind: 'received'; readonly at: number; readonly message: ReceivedMessage }
  | { readonly kind: 'call'; readonly at: number; readonly call: Call };

/** All chats, that with the latest entry first. */
export function chatsOf({ messages, inbox, calls }: Snapshot): Chat[] {
  const happened: Happened[] = [
    ...[...messages.values()].map((message) => ({ kind: 'sent' as const, at: message.sent_at, message })),
    ...[...inbox.values()].map((message) => ({ kind: 'received' as const, at: message.received_at, message })),
    ...[...calls.values()].map((call) => ({ kind: 'call' as const, at: call.started_at, call })),
  ].toSorted((one, other) => one.at - other.at);
  const chats = new Map<string, { key: ChatKey; happened: Happened[] }>();
  for (const one of happened) {
    const key = chatKeyOf(one);
    const chat = chats.get(keyOf(key)) ?? { key, happened: [] };
    chat.happened.push(one);
    chats.set(keyOf(key), chat);
  }
  const all = [...chats.values()].map(({ key, happened }) => ({ ...key, entries: entriesOf(happened) }));
  return all.toSorted((one, other) => lastAt(other) - lastAt(one));
}

/** A chat in which nothing has happened yet. */
export const emptyChat = (key: ChatKey): Chat => ({ ...key, entries: [] });

const lastAt = ({ entries }: Chat) => entries.at(-1)?.at ?? 0;

function chatKeyOf(one: Happened): ChatKey {
  const { phone_number_id: phoneNumberId, contact } = one.kind === 'call' ? one.call : one.message;
  const group = one.kind === 'received' ? one.message.group_id : null;
  return { phoneNumberId, contact: group ?? contact };
}

/** Reactions, pins, edits and deletions are shown at the message that they are about, if the chat has it. */
function entriesOf(happened: readonly Happened[]): Entry[] {
  const summaries = new Map<string, string>();
  const changes = new Map<string, Partial<Changes> & { sent?: string; received?: string; edited?: unknown }>();
  const change = (id: string, next: object) => changes.set(id, { ...changes.get(id), ...next });
  const shown: Happened[] = [];
  for (const one of happened) {
    if (one.kind === 'call') {
      shown.push(one);
      continue;
    }
    const { id, type } = one.message;
    const content = members(one.message.content);
    const about = textOf(content.message_id ?? content.original_message_id);
    if (type === 'reaction') change(about, { [one.kind]: textOf(content.emoji) });
    else if (type === 'pin') change(about, { isPinned: content.type === 'pin' });
    else if (type === 'edit' && summaries.has(about)) change(about, { isEdited: true, edited: content.message });
    else if (type === 'revoke' && summaries.has(about)) change(about, { isDeleted: true });
    else {
      shown.push(one);
      summaries.set(id, summaryOf(type, one.message.content));
    }
  }
  return shown.map((one) => {
    if (one.kind === 'call') return one;
    const { sent = '', received = '', edited, ...rest } = changes.get(one.message.id) ?? {};
    const context = members(one.message.context);
    const quoted = summaries.get(textOf(context.id ?? context.message_id));
    return { ...withContent(one, edited), ...rest, reactions: `${sent}${received}`, quoted };
  });
}

/** The message with the content that an edit has given it. */
function withContent<T extends Exclude<Happened, { kind: 'call' }>>(one: T, edited: unknown): T {
  if (edited === undefined) return one;
  return { ...one, message: { ...one.message, content: members(edited)[one.message.type] } };
}

/** The beginning of an entry, for the list of chats. */
export function entrySummary(entry: Entry): string {
  if (entry.kind === 'call') return 'Call';
  if (entry.isDeleted) return 'Deleted message';
  const { type, content } = entry.message;
  return summaryOf(type, content);
}
