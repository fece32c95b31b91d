import * as z from 'zod/mini';
import { type BusinessNumber, findNumber } from '../core/accounts.ts';
import type { ContactId } from '../core/contacts.ts';
import { type Change, type Chat, chatKey, type Platform } from '../core/platform.ts';
import type { Records } from '../core/records.ts';
import { buildEvent } from '../events/events.ts';
import { ControlError, type ControlRoute, get, on } from '../http/control-route.ts';

/** Who can hold a conversation in place of the business's app: Meta's Business Agent, or another app. */
const holders = ['ai_agent', 'escalation'] as const;

type Holder = (typeof holders)[number];

export interface Conversation extends Chat {
  readonly held_by: Holder;
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
  readonly #platform: Platform;
  readonly #records: Records<Conversation>;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#records = platform.open('conversations');
  }

  all(): Conversation[] {
    return [...this.#records.values()];
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
    const before = this.#holderOf({ phone_number_id: number.phoneNumberId, contact });
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
    const holder = this.#holderOf({ phone_number_id: number.phoneNumberId, contact });
    if (holder === null) return;
    this.#save(number, contact, null);
    const roles = { previous_owner_role: holder, new_owner_role: ownRoles[holder] };
    this.#announce('control_taken', { ...roles, metadata: 'Control taken via service message' }, number, contact);
  }

  #holderOf(chat: Chat): Holder | null {
    return this.#records.get(chatKey(chat))?.held_by ?? null;
  }

  #isHeld({ metadata, messages: [{ type, from, from_user_id, group_id }] }: z.infer<typeof messagesSchema>): boolean {
    const sender = from ?? from_user_id;
    if (sender === undefined || type === 'system' || group_id !== undefined) return false;
    const { phone_number_id } = metadata;
    return this.#holderOf({ phone_number_id, contact: this.#platform.population.idOf(sender) }) !== null;
  }

  #save({ phoneNumberId: phone_number_id }: BusinessNumber, contact: ContactId, holder: Holder | null): void {
    const key = chatKey({ phone_number_id, contact });
    if (holder === null) this.#records.delete(key);
    else this.#records.set(key, { phone_number_id, contact, held_by: holder });
  }

  #announce(type: 'control_passed' | 'control_taken', members: object, number: BusinessNumber, id: ContactId): void {
    const { population, announce, now } = this.#platform;
    announce(buildEvent({ type, contact: population.memberOf(id), [type]: members }, number, now()));
  }
}

const holderSchema = z.strictObject({ held_by: z.nullable(z.enum(holders)) });

/** Gives conversations to another sender and back. */
export function conversationControl(platform: Platform, conversations: Conversations): ControlRoute[] {
  const show = () => ({ data: conversations.all() });
  return [
    get('/conversations', show),
    on('PUT', '/conversations/{phone_number_id}/{contact}', holderSchema, ({ held_by }, params) => {
      const { phone_number_id = '', contact = '' } = params;
      const number = findNumber(platform.accounts, phone_number_id);
      if (number === undefined) throw new ControlError(404, `No account has the phone number ${phone_number_id}`);
      conversations.give(number, platform.population.idOf(contact), held_by);
      return show();
    }),
  ];
}
