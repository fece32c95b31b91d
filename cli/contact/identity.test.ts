import { describe, expect, it } from 'vitest';
import { fileIdsOf, linkedIds, namesContact } from './identity.ts';

const number = '15550100999';
const userId = 'BR.13491208655302741918';
const ids = new Set([number, userId]);

describe('a value names a person', () => {
  it.each([
    [number],
    { wa_id: 15_550_100_999 },
    { [number]: true },
    { response_json: JSON.stringify({ note: JSON.stringify(`call\n+1 555\n010 0999`) }) },
  ])('by %j', (value) => expect(namesContact(value, ids)).toBe(true));

  it.each([{ latitude: 1.555_010_099_9 }, { timestamp: 155_501_009_990 }, ['1555', '0100999'], null])(
    'not by %j',
    (value) => expect(namesContact(value, ids)).toBe(false),
  );
});

const other = '15550100998';

describe('the ids of a person', () => {
  it.each([
    [
      'the ids of a contact',
      {
        contacts: [
          { wa_id: number, user_id: 'BR.2' },
          { wa_id: other, user_id: 'BR.3' },
        ],
      },
      'BR.2',
    ],
    ['those of a sender, one of them as a number', { from: 15_550_100_999, from_user_id: 'BR.2', to: other }, 'BR.2'],
    ['those of a recipient', { recipient_id: number, parent_recipient_user_id: 'BR.ENT.2' }, 'BR.ENT.2'],
    ['those of an echo', { from: other, to: number, recipient: 'BR.2' }, 'BR.2'],
    ['the number in a handover', { sender: { phone_number: '+15550100998', user_id: userId } }, other],
    ['a new number', { from: number, system: { type: 'user_changed_number', wa_id: other } }, other],
    ['a new number, as it was once named', { from: number, system: { new_wa_id: other } }, other],
    ['the number before', { from: other, system: { customer: other, wa_id: number } }, other],
    ['a new user id', { system: { user_id: 'BR.2', previous_user_id: userId } }, 'BR.2'],
    ['the user id before', { system: { user_id: userId, previous_user_id: 'BR.2' } }, 'BR.2'],
    ['a new user id in a field of its own', { wa_id: other, user_id: { previous: userId, current: 'BR.2' } }, 'BR.2'],
    ['the context of a thread', { id: number, context: { user_id: 'BR.2' }, messages: [] }, 'BR.2'],
    [
      'those of the only contact and the only sender',
      { contacts: [{ wa_id: other }], messages: [{ from: number }, { from: number }] },
      other,
    ],
  ])('are %s', (_, event, learned) => {
    expect(linkedIds({ value: [event] }, ids)).toContain(learned);
  });

  it.each([
    ['in another form', { wa_id: 'BR.2', user_id: number }],
    ['that is not in the form of its member', { user_id: userId, wa_id: 'BR.2', parent_user_id: other }],
    ['of another role', { from: number, to: other }],
    ['of one of several contacts', { contacts: [{ wa_id: other }, { user_id: 'BR.2' }], messages: [{ from: number }] }],
    [
      'of one of several senders',
      { contacts: [{ wa_id: other }], messages: [{ from: number }, { from: '15550100997' }] },
    ],
    ['in a contact card', { phones: [{ phone: other, wa_id: number }] }],
    ['that somebody typed', { response_json: JSON.stringify({ wa_id: number, phone_number: other }) }],
    ['that somebody composed', { interactive: { action: { data: { wa_id: number, phone_number: other } } } }],
  ])('are none %s', (_, event) => {
    for (const id of linkedIds(event, ids)) expect(ids).toContain(id);
  });
});

describe('the files of a person', () => {
  const image = (id: unknown) => ({ type: 'image', image: { id, mime_type: 'image/jpeg', caption: number } });
  const answer = (json: unknown) => ({ interactive: { nfm_reply: { response_json: JSON.stringify(json) } } });

  it.each([
    ['a message', { messages: [{ from: number, ...image('1') }] }],
    ['a message whose id is a number', { messages: [{ from_user_id: userId, ...image(1) }] }],
    ['a message that only its contact names', { contacts: [{ user_id: userId }], messages: [image('1')] }],
    ['an edited message', { message_echoes: [{ from: other, to: number, edit: { message: image('1') } }] }],
    ['an echo to them', { standby: { message_echoes: [{ message: { recipient: userId, ...image('1') } }] } }],
    [
      'a message of the history',
      { history: [{ threads: [{ id: number, messages: [{ from: other, ...image('1') }] }] }] },
    ],
    ['a recording', { calls: [{ from: other, to: number, call_recording: { audio: { id: '1' } } }] }],
    ['photos of a Flow', { from: number, ...answer({ photos: [{ id: 1, mime_type: 'image/png' }] }) }],
    ['documents of a Flow', { from: number, ...answer({ files: JSON.stringify([{ media_id: '1' }]) }) }],
    ['a header of a template', { to: number, template: { components: [{ parameters: [{ image: { id: '1' } }] }] } }],
  ])('are those in %s', (_, event) => expect([...fileIdsOf(event, ids)]).toContain('1'));

  it.each([
    ['a message that mentions them', { messages: [{ from: other, ...image('1') }] }],
    ['a reply to them', { messages: [{ from: other, context: { from: number }, ...image('1') }] }],
    [
      'another thread',
      {
        threads: [
          { id: other, messages: [image('1')] },
          { id: number, messages: [] },
        ],
      },
    ],
    ['one of several messages', { contacts: [{ wa_id: number }], messages: [image('1'), image('2')] }],
  ])('are not those in %s', (_, event) => expect([...fileIdsOf(event, ids)]).not.toContain('1'));
});
