import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isObject } from '#shared/base/json.ts';
import { lostMembers } from '#support/lost-members.ts';
import { envelopeOf } from './envelope.ts';
import { buildEvent, type EventRequest, type EventType, eventTypes } from './events.ts';

const now = Date.UTC(2026, 10, 20);
const origin = { wabaId: '102290129340398', phoneNumberId: '106540352242922', phoneNumber: '15550783881' };

const both = { profile: { name: 'Ana', username: 'ana' }, wa_id: '16505551234', user_id: 'BR.13491208655302741918' };
const { user_id: _, ...byPhone } = both;
const { wa_id: __, ...byUserId } = both;
const people = { 'a phone number': byPhone, 'a user id': byUserId, both };

const requestFor = (type: EventType): EventRequest =>
  type === 'field' ? { type, field: 'holograms', value: { projected: [{ light: 1 }] } } : { type };

/** As it arrives: absent members are gone. */
function bodyOf(...requests: readonly EventRequest[]): unknown {
  const changes = requests.map((request) => buildEvent(request, origin, now));
  return JSON.parse(JSON.stringify(envelopeOf(changes, now)));
}

/** What a future version of the platform may add to an object: members of any kind. */
const novelties: Readonly<Record<string, (unique: string) => unknown>> = {
  'a text': (unique) => unique,
  'an object': (unique) => ({ inner: unique, deeper: { inner: unique } }),
  'a list of texts': (unique) => [unique],
  'a list of objects': (unique) => [{ inner: unique }],
  'an empty list': () => [],
  'an empty object': () => ({}),
  null: () => null,
};

/** Adds a member to every object in the value. Each has a name of its own. */
function withNovelties(value: unknown, novelty: (unique: string) => unknown): unknown {
  let count = 0;
  const extend = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(extend);
    if (!isObject(value)) return value;
    const members = Object.entries(value).map(([name, member]) => [name, extend(member)]);
    const name = `novelty_${count++}`;
    return Object.fromEntries([...members, [name, novelty(`value of ${name}`)]]);
  };
  return extend(value);
}

describe.each(eventTypes)('of the event %s', (type) => {
  it.each(Object.entries(people))(
    'every member is delivered, also those that are new, about a contact with %s',
    (_, contact) => {
      const body = bodyOf({ ...requestFor(type), contact });
      expect(lostMembers(body)).toEqual([]);
      for (const novelty of Object.values(novelties)) expect(lostMembers(withNovelties(body, novelty))).toEqual([]);
    },
  );
});

it('every member of events in any batch is delivered, also those that are new', () => {
  const person = fc.record({ kind: fc.constantFrom(byPhone, byUserId, both), n: fc.nat(2) }).map(({ kind, n }) => ({
    ...kind,
    profile: { name: `Ana ${n}` },
    ...('wa_id' in kind && { wa_id: `1650555123${n}` }),
    ...('user_id' in kind && { user_id: `BR.1${n}` }),
  }));
  const request = fc.record({ type: fc.constantFrom(...eventTypes), contact: fc.option(person) });
  const novelty = fc.constantFrom(...Object.values(novelties));
  fc.assert(
    fc.property(fc.array(request, { minLength: 1, maxLength: 6 }), novelty, (requests, make) => {
      const body = bodyOf(...requests.map(({ type, contact }) => ({ ...requestFor(type), contact })));
      expect(lostMembers(withNovelties(body, make))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
