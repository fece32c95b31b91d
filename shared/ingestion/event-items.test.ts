import { describe, expect, it } from 'vitest';
import { contactFinder, recipientOf, senderOf } from './event-items.ts';

const kerry = { profile: { name: 'Kerry' }, wa_id: '1' };
const ana = { profile: { name: 'Ana' }, user_id: 'US.2' };
const parent = { profile: { name: 'Noa' }, parent_user_id: 'US.ENT.4' };
const both = { profile: { name: 'Li' }, wa_id: '3', user_id: 'US.3' };

describe('contactFinder', () => {
  const contactOf = contactFinder([kerry, ana, both, parent], []);

  it.each([
    [{ from: '1' }, kerry],
    [{ recipient_id: '1' }, kerry],
    [{ from_user_id: 'US.2' }, ana],
    [{ recipient_user_id: 'US.2' }, ana],
    [{ from: 'unknown', from_user_id: 'US.3' }, both],
    [{ recipient_id: 'a group', recipient_participant_id: '3' }, both],
    [{ recipient_id: 'a group', recipient_participant_user_id: 'US.2' }, ana],
    [{ from: 'the business', to: '1' }, kerry],
    [{ from: 'the business', to_user_id: 'US.2' }, ana],
    [{ from_parent_user_id: 'US.ENT.4' }, parent],
    [{ to_parent_user_id: 'US.ENT.4' }, parent],
    [{ recipient_parent_user_id: 'US.ENT.4' }, parent],
    [{ recipient_id: 'a group', recipient_participant_parent_user_id: 'US.ENT.4' }, parent],
    [{ parent_recipient_user_id: 'US.ENT.4' }, parent],
    [{ recipient_id: 'a group', participant_recipient_id: '3' }, both],
    [{ recipient_id: 'a group', participant_recipient_user_id: 'US.2' }, ana],
    [{ from_parent_user_id: 'US.ENT.4', from_user_id: 'US.2' }, ana],
    [{ from: '4' }, undefined],
    [{}, undefined],
    [{ from: 1 }, kerry],
    [{ from: 1.5 }, undefined],
  ])('finds the contact of %j', (item, contact) => {
    expect(contactOf(item)).toBe(contact);
  });

  it('assigns a single contact to the only item, even if ids differ or are missing', () => {
    expect(contactFinder([kerry], [{ from: '2' }])({ from: '2' })).toBe(kerry);
    expect(contactFinder([{ profile: {} }], [{}])({})).toEqual({ profile: {} });
  });

  it('assigns a single contact to all items of one person, even if ids differ', () => {
    const items = [{ from: '2' }, { from: '2' }, { recipient_id: 2 }];
    expect(items.map(contactFinder([kerry], items))).toEqual([kerry, kerry, kerry]);
    expect(items.map(contactFinder([kerry, { ...kerry }, { ...kerry }], items))).toEqual([kerry, kerry, kerry]);
  });

  it('otherwise assigns a contact only to an item that names it', () => {
    const items = [{ from: '2' }, { from: '3' }, {}];
    expect(items.map(contactFinder([kerry], items))).toEqual([undefined, undefined, undefined]);
    expect([{}, {}].map(contactFinder([kerry], [{}, {}]))).toEqual([undefined, undefined]);
    expect(contactFinder([kerry, ana], [{}])({})).toBeUndefined();
  });

  it.each([
    ['Mexico', '5215512345678', '525512345678'],
    ['Argentina', '5491112345678', '541112345678'],
    ['Brazil', '5531987654321', '553187654321'],
  ])('recognises a number of %s in either form, beside another person', (_, long, short) => {
    const other = { wa_id: `${long.slice(0, -1)}0` };
    const items = [{ from: long }, { from: short }, { from: other.wa_id }];
    for (const wa_id of [long, short, Number(long)]) {
      const contact = { wa_id };
      expect(items.map(contactFinder([other, contact], items))).toEqual([contact, contact, other]);
      expect(items.map(contactFinder([contact], items))).toEqual([contact, contact, undefined]);
    }
  });

  it('prefers the very number to another form of it', () => {
    const contacts = [{ wa_id: '525512345678' }, { wa_id: '5215512345678' }];
    const items = [{ from: '5215512345678' }, { from: '525512345678' }];
    expect(items.map(contactFinder(contacts, items))).toEqual([contacts[1], contacts[0]]);
  });

  it.each([
    ['a landline of Brazil', '5511933334444', '551133334444'],
    ['a number of another length', '52155123456789', '5255123456789'],
    ['a number of another country', '15215512345678', '1525512345678'],
  ])('takes %s for another person', (_, from, wa_id) => {
    expect(contactFinder([{ wa_id }], [{ from }, { from: '1' }])({ from })).toBeUndefined();
  });

  it('skips values that are not contacts', () => {
    expect(contactFinder([null, 'x', [], kerry], [{}])({})).toBe(kerry);
    expect(contactFinder([{ wa_id: null }, {}], [{ from: null }])({ from: null })).toBeUndefined();
  });
});

describe('recipientOf', () => {
  it.each([
    [{ recipient_id: '1' }, { wa_id: '1' }],
    [
      { recipient_id: '1', recipient_user_id: 'US.1' },
      { wa_id: '1', user_id: 'US.1' },
    ],
    [{ recipient_user_id: 'US.1' }, { user_id: 'US.1' }],
    [{ recipient_parent_user_id: 'US.ENT.1' }, { parent_user_id: 'US.ENT.1' }],
    [{ recipient_id: 'Z3JvdXA=', recipient_type: 'group', recipient_participant_id: '2' }, { wa_id: '2' }],
    [{ recipient_id: 'Z3JvdXA=', recipient_type: 'group', participant_recipient_id: '2' }, { wa_id: '2' }],
    [{ parent_recipient_user_id: 'US.ENT.1' }, { parent_user_id: 'US.ENT.1' }],
    [{ recipient_id: 'Z3JvdXA=', recipient_type: 'group' }, undefined],
    [{ recipient_id: '' }, undefined],
    [{ recipient_id: 1 }, { wa_id: '1' }],
    [{}, undefined],
  ])('returns the recipient of %j', (status, contact) => {
    expect(recipientOf(status)).toEqual(contact);
  });
});

describe('senderOf', () => {
  it.each([
    [{ from: '1', to: '2' }, { wa_id: '1' }],
    [
      { from_user_id: 'US.1', from_parent_user_id: 'US.ENT.1' },
      { user_id: 'US.1', parent_user_id: 'US.ENT.1' },
    ],
    [{ from: 12345678901 }, { wa_id: '12345678901' }],
    [{ from: 'a business' }, undefined],
    [{}, undefined],
  ])('returns the sender of %j', (message, contact) => {
    expect(senderOf(message)).toEqual(contact);
  });
});
