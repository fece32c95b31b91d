import { describe, expect, it } from 'vitest';
import { contactFinder } from './contacts.ts';

const kerry = { profile: { name: 'Kerry' }, wa_id: '1' };
const ana = { profile: { name: 'Ana' }, user_id: 'US.2' };
const both = { profile: { name: 'Li' }, wa_id: '3', user_id: 'US.3' };

describe('contactFinder', () => {
  const contactOf = contactFinder([kerry, ana, both], 9);

  it.each([
    [{ from: '1' }, kerry],
    [{ recipient_id: '1' }, kerry],
    [{ from_user_id: 'US.2' }, ana],
    [{ recipient_user_id: 'US.2' }, ana],
    [{ from: 'unknown', from_user_id: 'US.3' }, both],
    [{ recipient_id: 'a group', recipient_participant_id: '3' }, both],
    [{ recipient_id: 'a group', recipient_participant_user_id: 'US.2' }, ana],
    [{ from: '4' }, undefined],
    [{}, undefined],
    [{ from: 1 }, undefined],
  ])('%j', (item, contact) => {
    expect(contactOf(item)).toBe(contact);
  });

  it('a single contact belongs to the only item, even where ids differ or lack', () => {
    expect(contactFinder([kerry], 1)({ from: '2' })).toBe(kerry);
    expect(contactFinder([{ profile: {} }], 1)({})).toEqual({ profile: {} });
  });

  it('and otherwise to none that does not name it', () => {
    expect(contactFinder([kerry], 2)({ from: '2' })).toBeUndefined();
    expect(contactFinder([kerry, ana], 1)({})).toBeUndefined();
  });

  it('passes over what is no contact', () => {
    expect(contactFinder([null, 'x', [], kerry], 1)({})).toBe(kerry);
    expect(contactFinder([{ wa_id: null }, {}], 2)({ from: null })).toBeUndefined();
  });
});
