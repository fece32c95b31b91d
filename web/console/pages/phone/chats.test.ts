import { describe, expect, it } from 'vitest';
import type { Call, ReceivedMessage, SentMessage } from '#local/console/console-values.ts';
import type { Snapshot } from '../../snapshot.ts';
import { chatsOf, type Entry, entrySummary } from './chats.ts';

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

describe('the list of chats', () => {
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

  const only = (...snapshot: Parameters<typeof snapshotOf>) => chatsOf(snapshotOf(...snapshot))[0]?.entries ?? [];

  it('shows a reaction at its message and not as an entry, and the latest one of each side', () => {
    const react = (emoji: string) => ({ type: 'reaction', content: { message_id: 'a', emoji } });
    const entries = only(
      [sent('r1', 2, react('👍'))],
      [received('a', 1), received('r2', 3, react('😂')), received('r3', 4, react(''))],
    );
    expect(idsOf(entries)).toEqual(['a']);
    expect(entries[0]).toMatchObject({ reactions: '👍' });
  });

  it('shows what an edit, a deletion and a pin have made of a message at that message', () => {
    const edit = { original_message_id: 'a', message: { type: 'text', text: { body: 'Better' } } };
    const entries = only(
      [sent('s', 1), sent('p', 2, { type: 'pin', content: { type: 'pin', message_id: 's' } })],
      [
        received('a', 3),
        received('b', 4),
        received('e', 5, { type: 'edit', content: edit }),
        received('d', 6, { type: 'revoke', content: { original_message_id: 'b' } }),
      ],
    );
    expect(idsOf(entries)).toEqual(['s', 'a', 'b']);
    expect(entries[0]).toMatchObject({ isPinned: true });
    expect(entries[1]).toMatchObject({ isEdited: true, message: { content: { body: 'Better' } } });
    expect(entries[2] && entrySummary(entries[2])).toBe('Deleted message');
  });

  it('shows the deletion of a message that it does not have as an entry of its own', () => {
    const revoke = { type: 'revoke', content: { original_message_id: 'long ago' } };
    expect(idsOf(only([], [received('d', 1, revoke)]))).toEqual(['d']);
  });

  it('quotes the message that another one answers', () => {
    const entries = only([sent('b', 2, { context: { message_id: 'a' } })], [received('a', 1)]);
    expect(entries[1]).toMatchObject({ quoted: 'a' });
  });

  it('puts what is written in a group into the chat of the group', () => {
    const group = 'Y2FwaV9ncm91cA==';
    const chats = chatsOf(snapshotOf([sent('b', 2, { contact: group })], [received('a', 1, { group_id: group })]));
    expect(chats.map(({ contact, entries }) => [contact, idsOf(entries)])).toEqual([[group, ['a', 'b']]]);
  });

  it('sums up an entry by its words, or else by what it is', () => {
    const summary = (type: string, content: unknown) =>
      entrySummary({ kind: 'sent', at: 0, message: { type, content } as SentMessage, reactions: '' });
    expect(summary('text', { body: 'Hello' })).toBe('Hello');
    expect(summary('interactive', { type: 'button', body: { text: 'Well?' } })).toBe('Well?');
    expect(summary('interactive', { type: 'list_reply', list_reply: { title: 'Soup' } })).toBe('Soup');
    expect(summary('image', { caption: 'The dog' })).toBe('The dog');
    expect(summary('image', {})).toBe('Photo');
    expect(summary('contacts', [{ name: { formatted_name: 'Ann' } }])).toBe('Ann');
    expect(entrySummary({ kind: 'call', at: 0, call: {} as Call })).toBe('Call');
  });
});
