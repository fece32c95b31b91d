import * as z from 'zod/mini';
import { type BusinessAccount, type BusinessNumber, findNumber, numbersOf } from '../core/accounts.ts';
import { isUserId, phoneDigits } from '../core/contacts.ts';
import { type Contact, type Population, populationIds, userIdOf } from '../core/population.ts';
import { buildEvent, type Change } from '../events/events.ts';
import { ControlError, type ControlRequest, type ControlRoute, readJson } from '../http/control-route.ts';
import { jsonResponse } from '../http/http.ts';

export interface PopulationControlOptions {
  readonly accounts: readonly BusinessAccount[];
  readonly population: Population;
  readonly announce: (change: Change) => void;
  readonly now: () => number;
}

const userId = z.string().check(z.refine(isUserId, 'is not a business-scoped user id'));

const populationSchema = z.strictObject({ ids: z.enum(populationIds) });

const contactSchema = z.strictObject({
  name: z.exactOptional(z.string()),
  username: z.exactOptional(z.nullable(z.string())),
  /** Only whether the number is shown matters. */
  wa_id: z.exactOptional(z.nullable(z.string())),
  user_id: z.exactOptional(z.nullable(userId)),
  parent_user_id: z.exactOptional(z.nullable(userId)),
});

const changeSchema = z.strictObject({
  /** The number that learns of it. Defaults to the first. */
  phone_number_id: z.optional(z.string()),
  /** The new phone number or user id. */
  to: z.string(),
});

/** Shows and changes what the business may know of people, and plays people who change their ids. */
export function populationControl({ accounts, population, announce, now }: PopulationControlOptions): ControlRoute[] {
  const showPopulation = () => jsonResponse(200, { ids: population.ids });
  const contactOf = ({ contact = '' }: ControlRequest['params']) => population.of(contact);
  return [
    { method: 'GET', path: '/population', handle: showPopulation },
    {
      method: 'PUT',
      path: '/population',
      handle({ body }) {
        population.configure(readJson(populationSchema, body).ids);
        return showPopulation();
      },
    },
    { method: 'GET', path: '/contacts', handle: () => jsonResponse(200, { data: population.described() }) },
    { method: 'GET', path: '/contacts/{contact}', handle: ({ params }) => jsonResponse(200, contactOf(params)) },
    {
      method: 'PUT',
      path: '/contacts/{contact}',
      handle: ({ params, body }) => jsonResponse(200, population.save(described(contactOf(params), body))),
    },
    change('change-number', 'user_changed_number', withNumber),
    change('change-user-id', 'user_changed_user_id', withUserId),
  ];

  /** A change of ids, which a system message announces. From then on, the old ids belong to nobody. */
  function change(name: string, type: string, changed: (contact: Contact, to: string) => Contact): ControlRoute {
    return {
      method: 'POST',
      path: `/contacts/{contact}/${name}`,
      handle({ params, body }) {
        const { to, phone_number_id } = readJson(changeSchema, body);
        const before = contactOf(params);
        const after = changed(before, to);
        const number = numberOf(phone_number_id);
        const system = systemMember(type, before, after);
        const request = { type: 'system' as const, contact: null, from: before.wa_id, system };
        population.delete(before);
        population.save(after);
        announce(buildEvent(request, number, now()));
        return jsonResponse(200, after);
      },
    };
  }

  function numberOf(id: string | undefined): BusinessNumber {
    const number = id === undefined ? numbersOf(accounts)[0] : findNumber(accounts, id);
    if (number === undefined) throw new ControlError(404, 'There is no such phone number');
    return number;
  }
}

function described(contact: Contact, body: Uint8Array): Contact {
  const next = { ...contact, ...readJson(contactSchema, body) };
  if (next.wa_id === null && next.user_id === null) throw new ControlError(400, 'A contact needs a wa_id or a user_id');
  return next;
}

/** For the business, a new number is a new person, so the user id changes, too. */
function withNumber(contact: Contact, to: string): Contact {
  const digits = phoneDigits(to);
  if (digits === undefined) throw new ControlError(400, 'to is not a phone number');
  return {
    ...contact,
    id: digits,
    wa_id: contact.wa_id === null ? null : digits,
    user_id: contact.user_id === null ? null : userIdOf(digits),
  };
}

function withUserId(contact: Contact, to: string): Contact {
  if (!isUserId(to)) throw new ControlError(400, 'to is not a business-scoped user id');
  return { ...contact, id: isUserId(contact.id) ? to : contact.id, user_id: to };
}

/** Source: Meta's page "Business-scoped user IDs" and its change log. Ids that are withheld are absent. */
function systemMember(type: string, before: Contact, after: Contact) {
  const idOf = (contact: Contact) => (type === 'user_changed_number' && contact.wa_id) || contact.user_id;
  const members = {
    body: `User ${after.name} changed from ${idOf(before)} to ${idOf(after)}`,
    type,
    wa_id: after.wa_id,
    user_id: after.user_id,
    parent_user_id: after.parent_user_id,
    previous_user_id: before.user_id,
    previous_parent_user_id: before.parent_user_id,
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}
