import { expect, it } from 'vitest';
import type { Call } from '#local/graph/calls/calls.ts';
import type { ReceivedMessage } from '#local/graph/messages/inbox.ts';
import type { SentMessage } from '#local/graph/messages/message.ts';
import type { Snapshot } from '../../snapshot.ts';
import { chatsOf, type Entry, summaryOf } from './chats.ts';

const parties = { phone_number_id: '1', contact: 'ann' };
const sent = (id: string, sent_at: number, members: object = {}) =>
  ({ id, ...parties, type: 'text', content: { body: id }, sent_at, ...members }) as SentMessage;
const received = (id: string, received_at: number, members: object = {}) =>
  ({ id, ...parties, type: 'text', content: { body: id }, received_at, ...members }) as ReceivedMessage;

function snapshotOf(messages: SentMessage[], inbox: ReceivedMessage[], calls: Call[] = []): Snapshot {
  const byId = <T extends { id: string }>(values: T[]) => new Map(values.map((value) => [value.id, value]));
  return { messages: byId(messages), inbox: byId(inbox), calls: byId(calls) } as unknown as Snapshot;
}

const idsOf = (entries: readonly Entry[]) =>
  entries.map((entry) => (entry.kind === 'call' ? entry.call.id : entry.message.id));

it('joins both sides and the calls of a chat in order, and puts the latest chat first', () => {
  const call = { id: 'call', ...parties, started_at: 3 } as Call;
  const bob = received('bob', 9, { contact: 'bob' });
  const chats = chatsOf(snapshotOf([sent('b', 2), sent('d', 4)], [received('a', 1), bob], [call]));
  expect(chats.map(({ phoneNumberId, contact, entries }) => [phoneNumberId, contact, idsOf(entries)])).toEqual([
    ['1', 'bob', ['bob']],
    ['1', 'ann', ['a', 'b', 'call', 'd']],
  ]);
});

it('keeps the chats of two numbers with one contact apart', () => {
  const chats = chatsOf(snapshotOf([], [received('a', 1), received('b', 2, { phone_number_id: '2' })]));
  expect(chats.map(({ phoneNumberId }) => phoneNumberId)).toEqual(['2', '1']);
});

it('shows a reaction at its message and not as an entry, and the latest one of each side', () => {
  const react = (emoji: string) => ({ type: 'reaction', content: { message_id: 'a', emoji } });
  const [chat] = chatsOf(
    snapshotOf(
      [sent('r1', 2, react('👍'))],
      [received('a', 1), received('r2', 3, react('😂')), received('r3', 4, react(''))],
    ),
  );
  expect(idsOf(chat?.entries ?? [])).toEqual(['a']);
  expect(chat?.reactions.get('a')).toEqual({ sent: '👍', received: '' });
});

it('sums up an entry by its words, or else by its type', () => {
  const summary = (type: string, content: unknown) =>
    summaryOf({ kind: 'sent', at: 0, message: { type, content } as SentMessage });
  expect(summary('text', { body: 'Hello' })).toBe('Hello');
  expect(summary('interactive', { body: { text: 'Well?' } })).toBe('Well?');
  expect(summary('image', { caption: 'The dog' })).toBe('The dog');
  expect(summary('image', {})).toBe('image');
  expect(summaryOf({ kind: 'call', at: 0, call: {} as Call })).toBe('Call');
  expect(summaryOf(undefined)).toBe('No messages yet');
});
