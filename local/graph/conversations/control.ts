import * as z from 'zod/mini';
import { type BusinessAccount, type BusinessNumber, findNumber } from '../core/accounts.ts';
import { type ContactId, recipientIds } from '../core/contacts.ts';
import type { Population } from '../core/population.ts';
import { buildEvent, type Change, newId } from '../events/events.ts';
import { ControlError, type ControlRequest, type ControlRoute, readJson } from '../http/control-route.ts';
import { jsonResponse } from '../http/http.ts';
import { type Conversations, holders } from './conversations.ts';

export interface ConversationControlOptions {
  readonly accounts: readonly BusinessAccount[];
  readonly population: Population;
  readonly conversations: Conversations;
  readonly announce: (change: Change) => void;
  readonly now: () => number;
}

const holderSchema = z.strictObject({ held_by: z.nullable(z.enum(holders)) });
const replySchema = z.strictObject({ text: z._default(z.string(), 'We are open until six.') });

/** Gives conversations to another sender and back, and plays what the other one sends. */
export function conversationControl(options: ConversationControlOptions): ControlRoute[] {
  const { accounts, population, conversations, announce, now } = options;
  const show = () => jsonResponse(200, { data: conversations.all() });
  const path = '/conversations/{phone_number_id}/{contact}';
  return [
    { method: 'GET', path: '/conversations', handle: show },
    {
      method: 'PUT',
      path,
      handle(request) {
        const { number, contact } = partiesOf(request);
        conversations.give(number, contact, readJson(holderSchema, request.body).held_by);
        return show();
      },
    },
    { method: 'POST', path: `${path}/reply`, handle: reply },
  ];

  /** The holder sends a text, which the app sees with its statuses. */
  function reply(request: ControlRequest) {
    const { number, contact } = partiesOf(request);
    if (conversations.holderOf(number.phoneNumberId, contact) === null) {
      throw new ControlError(409, 'Nobody else holds the conversation');
    }
    const { text } = readJson(replySchema, request.body);
    const person = population.memberOf(contact);
    const timestamp = String(Math.floor(now() / 1000));
    const id = newId('wamid');
    const { wa_id: to, user_id: recipient } = person;
    const address = to === undefined ? { recipient } : { to };
    const message = { messaging_product: 'whatsapp', recipient_type: 'individual', ...address };
    const echo = { id, timestamp, message: { ...message, type: 'text', text: { body: text } } };
    announceStandby('standby_echo', { message_echoes: [echo] });
    for (const status of ['sent', 'delivered']) {
      announceStandby('standby_status', { statuses: [{ id, status, timestamp, ...recipientIds(person) }] });
    }
    return jsonResponse(200, { id });

    function announceStandby(type: 'standby_echo' | 'standby_status', members: object): void {
      announce(buildEvent({ type, contact: person, standby: { contacts: [person], ...members } }, number, now()));
    }
  }

  function partiesOf({ params: { phone_number_id = '', contact = '' } }: ControlRequest): {
    number: BusinessNumber;
    contact: ContactId;
  } {
    const number = findNumber(accounts, phone_number_id);
    if (number === undefined) throw new ControlError(404, `No account has the phone number ${phone_number_id}`);
    return { number, contact: population.idOf(contact) };
  }
}
