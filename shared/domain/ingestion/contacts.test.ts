import { describe, expect, it } from 'vitest';
import { contactFinder, recipientOf } from './contacts.ts';

const kerry = { profile: { name: 'Kerry' }, wa_id: '1' };
const ana = { profile: { name: 'Ana' }, user_id: 'US.2' };
const parent = { profile: { name: 'Noa' }, parent_user_id: 'US.ENT.4' };
const both = { profile: { name: 'Li' }, wa_id: '3', user_id: 'US.3' };

describe('contactFinder', () => {
  const contactOf = contactFinder([kerry, ana, both, parent], 9);

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
    [{ from: 1 }, undefined],
  ])('finds the contact of %j', (item, contact) => {
    expect(contactOf(item)).toBe(contact);
  });

  it('assigns a single contact to the only item, even if ids differ or are missing', () => {
    expect(contactFinder([kerry], 1)({ from: '2' })).toBe(kerry);
    expect(contactFinder([{ profile: {} }], 1)({})).toEqual({ profile: {} });
  });

  it('otherwise assigns a contact only to an item that names it', () => {
    expect(contactFinder([kerry], 2)({ from: '2' })).toBeUndefined();
    expect(contactFinder([kerry, ana], 1)({})).toBeUndefined();
  });

  it('skips values that are not contacts', () => {
    expect(contactFinder([null, 'x', [], kerry], 1)({})).toBe(kerry);
    expect(contactFinder([{ wa_id: null }, {}], 2)({ from: null })).toBeUndefined();
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
    [{ recipient_id: 1 }, undefined],
    [{}, undefined],
  ])('returns the recipient of %j', (status, contact) => {
    expect(recipientOf(status)).toEqual(contact);
  });
});
