import * as z from 'zod/mini';
import { ControlError, type ControlRoute, get, on } from '../http/control-route.ts';
import { type ContactId, type ContactMember, isUserId } from './contacts.ts';
import type { Records } from './records.ts';

/** Which ids webhooks show by default: the phone number, the user id, or both. */
const populationIds = ['phone_numbers', 'both', 'user_ids'] as const;

export type PopulationIds = (typeof populationIds)[number];

/** What a business may know of a person. `id` is how the simulator knows the person. */
export interface Contact {
  readonly id: ContactId;
  readonly name: string;
  readonly username: string | null;
  /** Null if the platform withholds the phone number. */
  readonly wa_id: string | null;
  readonly user_id: string | null;
  readonly parent_user_id: string | null;
}

/** The people of a world. */
export class Population {
  readonly #records: Records<Contact>;
  readonly #onChange: (ids: PopulationIds) => void;
  #ids: PopulationIds = 'phone_numbers';

  constructor(records: Records<Contact>, onChange: (ids: PopulationIds) => void = () => undefined) {
    this.#records = records;
    this.#onChange = onChange;
  }

  get ids(): PopulationIds {
    return this.#ids;
  }

  /** Applies to everybody who has not been described. */
  configure(ids: PopulationIds): void {
    this.#ids = ids;
    this.#onChange(ids);
  }

  /** The people who have been described. */
  described(): Contact[] {
    return [...this.#records.values()];
  }

  /** Finds whom a phone number, a user id or a parent user id stands for. */
  idOf(text: string): ContactId {
    const described = this.described().find(({ user_id, parent_user_id }) => [user_id, parent_user_id].includes(text));
    return described?.id ?? phoneNumberIn(text) ?? text;
  }

  of(text: string): Contact {
    const id = this.idOf(text);
    return this.#records.get(id) ?? this.#undescribed(id);
  }

  save(contact: Contact): Contact {
    this.#records.set(contact.id, contact);
    return contact;
  }

  /** A person in the form of the `contacts` of webhooks. */
  memberOf(text: string): ContactMember {
    const { name, username, wa_id, user_id, parent_user_id } = this.of(text);
    return {
      profile: { name, ...(username !== null && { username }) },
      ...(wa_id !== null && { wa_id }),
      ...(user_id !== null && { user_id }),
      ...(parent_user_id !== null && { parent_user_id }),
    };
  }

  /**
   * The contact that a request describes, completed with what is known, and without a phone number that the platform
   * hides.
   */
  complete(described: ContactMember): ContactMember {
    const text = described.wa_id ?? described.user_id;
    if (text === undefined) return described;
    const contact = this.memberOf(text);
    const { wa_id: _, ...rest } = { ...contact, ...described, profile: { ...contact.profile, ...described.profile } };
    return contact.wa_id === undefined ? rest : { ...rest, wa_id: described.wa_id ?? contact.wa_id };
  }

  #undescribed(id: ContactId): Contact {
    const person = { id, name: 'Sample Customer', parent_user_id: null };
    const username = this.#ids === 'phone_numbers' ? null : usernameOf(id);
    if (isUserId(id)) return { ...person, username, wa_id: null, user_id: id };
    const wa_id = this.#ids === 'user_ids' ? null : id;
    return { ...person, username, wa_id, user_id: this.#ids === 'phone_numbers' ? null : userIdOf(id) };
  }
}

/** The user id of a person with a phone number. It does not contain the number, but stands for it. */
function userIdOf(phoneNumber: ContactId): string {
  return `US.90${reversed(phoneNumber)}`;
}

function phoneNumberIn(userId: string): ContactId | undefined {
  const digits = /^US\.90(\d{5,20})$/.exec(userId)?.[1];
  return digits && reversed(digits);
}

function usernameOf(id: ContactId): string {
  return `sample_${reversed(id).slice(0, 6).toLowerCase()}`;
}

function reversed(text: string): string {
  return [...text].reverse().join('');
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

/** Shows and changes what the business may know of people. */
export function populationControl(population: Population): ControlRoute[] {
  const show = () => ({ ids: population.ids });
  return [
    get('/population', show),
    on('PUT', '/population', populationSchema, ({ ids }) => {
      population.configure(ids);
      return show();
    }),
    get('/contacts', () => ({ data: population.described() })),
    get('/contacts/{contact}', ({ contact = '' }) => population.of(contact)),
    on('PUT', '/contacts/{contact}', contactSchema, (members, { contact = '' }) => {
      const described = { ...population.of(contact), ...members };
      if (described.wa_id === null && described.user_id === null) {
        throw new ControlError(400, 'A contact needs a wa_id or a user_id');
      }
      return population.save(described);
    }),
  ];
}
