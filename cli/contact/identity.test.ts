import { describe, expect, it } from 'vitest';
import { contactId, mediaOf, namesContact, otherIds } from './identity.ts';

const number = '15550100999';
const userId = 'BR.13491208655302741918';
const ids = new Set([number, userId]);
const messageId = (digits: string) =>
  `wamid.${Buffer.from(`\u001d\u0018\u000b${digits}\u0015\u0002`, 'latin1').toString('base64')}`;

describe('a contact on the command line', () => {
  it.each(['15550100999', '+15550100999', '+1 (555) 010-0999', ' 1.555.010.0999 '])('may be written as %j', (text) => {
    expect(contactId(text)).toBe(number);
  });
  it('may be a user id', () => expect(contactId(userId)).toBe(userId));
  it.each(['', 'ana', '123', '+1 555 010 0999 ext 5', '1234567890123456'])('may not be %j', (text) => {
    expect(contactId(text)).toBeUndefined();
  });
});

describe('a text names a person', () => {
  it.each([
    `{"from":"${number}"}`,
    '{"body":"call +1 (555) 010-0999 now"}',
    `{"user_id":"${userId}"}`,
    `{"id":"${messageId(number)}"}`,
    `{"id":"${messageId(number).replace('wamid', 'wacid')}"}`,
  ])('by %s', (text) => expect(namesContact(text, ids)).toBe(true));

  it.each([
    `{"from":"2${number}"}`,
    `{"timestamp":"${number}0"}`,
    `{"user_id":"${userId}1"}`,
    `{"user_id":"X${userId}"}`,
    `{"id":"${messageId('15550100998')}"}`,
    '{"from":"15550100998"}',
  ])('not by %s', (text) => expect(namesContact(text, ids)).toBe(false));
});

describe('other ids of a person', () => {
  it('are those beside a known one in the same role', () => {
    const notification = {
      contacts: [
        { wa_id: number, user_id: userId },
        { wa_id: '15550100998', user_id: 'BR.2' },
      ],
      messages: [{ from: '15550100998', from_user_id: 'BR.2', to: number }],
      statuses: [{ recipient_id: number, recipient_parent_user_id: 'BR.ENT.7' }],
    };
    expect(otherIds(JSON.stringify(notification), new Set([number]))).toEqual(new Set([number, userId, 'BR.ENT.7']));
  });

  it('are none in a text that is not JSON', () => expect(otherIds(number, ids)).toEqual(new Set()));
});

it('the files of a person are those in their messages, not those of someone who mentions them', () => {
  const image = (id: string) => ({ image: { id, mime_type: 'image/jpeg', caption: number } });
  const messages = [
    { from: number, ...image('1') },
    { from_user_id: userId, ...image('2') },
    { from: '9', ...image('3') },
  ];
  expect(mediaOf(JSON.stringify({ messages }), ids)).toEqual(new Set(['1', '2']));
});
