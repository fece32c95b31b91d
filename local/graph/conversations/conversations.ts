import * as z from 'zod/mini';
import type { BusinessNumber } from '../core/accounts.ts';
import type { ContactId } from '../core/contacts.ts';
import type { Population } from '../core/population.ts';
import type { Records } from '../core/records.ts';
import { buildEvent, type Change } from '../events/events.ts';

/** Who can hold a conversation in place of the business's app: Meta's Business Agent, or another app. */
export const holders = ['ai_agent', 'escalation'] as const;

export type Holder = (typeof holders)[number];

export interface Conversation {
  readonly phone_number_id: string;
  readonly contact: ContactId;
  readonly held_by: Holder;
}

export interface ConversationsOptions {
  readonly population: Population;
  readonly records: Records<Conversation>;
  readonly announce: (change: Change) => void;
  readonly now: () => number;
}

/** The role of the business's app beside each holder. */
const ownRoles = { ai_agent: 'escalation', escalation: 'customer_service' } as const;

const messagesSchema = z.looseObject({
  metadata: z.looseObject({ phone_number_id: z.string() }),
  messages: z.tuple([
    z.looseObject({
      type: z.string(),
      from: z.optional(z.string()),
      from_user_id: z.optional(z.string()),
      group_id: z.optional(z.string()),
    }),
  ]),
});

/**
 * The conversations that another sender holds. Source: Meta's pages "Standby webhooks", "Messaging handovers" and
 * "Thread control".
 */
export class Conversations {
  readonly #options: ConversationsOptions;

  constructor(options: ConversationsOptions) {
    this.#options = options;
  }

  all(): Conversation[] {
    return [...this.#options.records.values()];
  }

  holderOf(phoneNumberId: string, contact: ContactId): Holder | null {
    return this.#options.records.get(keyOf(phoneNumberId, contact))?.held_by ?? null;
  }

  /** Messages of a conversation that another sender holds come as standby. Other events stay as they are. */
  routed(change: Change): Change {
    const { success, data } =
      change.field === 'messages' ? z.safeParse(messagesSchema, change.value) : { success: false };
    if (!success || data === undefined || !this.#isHeld(data)) return change;
    const { messaging_product, metadata, ...standby } = change.value;
    return { ...change, field: 'standby', value: { messaging_product, metadata, standby } };
  }

  /** Gives the conversation to a holder, or to the app. The app learns of what it gets, and of what it loses. */
  give(number: BusinessNumber, contact: ContactId, holder: Holder | null): void {
    const before = this.holderOf(number.phoneNumberId, contact);
    if (before === holder) return;
    this.#save(number, contact, holder);
    if (holder === null && before !== null) {
      const roles = { previous_owner_role: before, new_owner_role: ownRoles[before] };
      this.#announce('control_passed', roles, number, contact);
    } else if (holder === 'escalation' && before === null) {
      const roles = { previous_owner_role: ownRoles[holder], new_owner_role: holder };
      this.#announce('control_taken', { ...roles, metadata: 'Control taken' }, number, contact);
    }
  }

  /** The app takes a conversation by a service message. */
  take(number: BusinessNumber, contact: ContactId): void {
    const holder = this.holderOf(number.phoneNumberId, contact);
    if (holder === null) return;
    this.#save(number, contact, null);
    const roles = { previous_owner_role: holder, new_owner_role: ownRoles[holder] };
    this.#announce('control_taken', { ...roles, metadata: 'Control taken via service message' }, number, contact);
  }

  #isHeld({ metadata, messages: [{ type, from, from_user_id, group_id }] }: z.infer<typeof messagesSchema>): boolean {
    const sender = from ?? from_user_id;
    if (sender === undefined || type === 'system' || group_id !== undefined) return false;
    return this.holderOf(metadata.phone_number_id, this.#options.population.idOf(sender)) !== null;
  }

  #save({ phoneNumberId: phone_number_id }: BusinessNumber, contact: ContactId, holder: Holder | null): void {
    const { records } = this.#options;
    const key = keyOf(phone_number_id, contact);
    if (holder === null) records.delete(key);
    else records.set(key, { phone_number_id, contact, held_by: holder });
  }

  #announce(type: 'control_passed' | 'control_taken', members: object, number: BusinessNumber, id: ContactId): void {
    const { population, announce, now } = this.#options;
    announce(buildEvent({ type, contact: population.memberOf(id), [type]: members }, number, now()));
  }
}

function keyOf(phoneNumberId: string, contact: ContactId): string {
  return `${phoneNumberId} ${contact}`;
}
