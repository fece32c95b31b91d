import * as z from 'zod/mini';
import { type BusinessNumber, findNumber } from '../core/accounts.ts';
import { isUserId, sampleContact } from '../core/contacts.ts';
import type { Change, Platform } from '../core/platform.ts';
import { buildEvent } from '../events/events.ts';
import { ControlError, type ControlRoute, get, nothing, on } from '../http/control-route.ts';
import type { FlowPhone } from './flow-phone.ts';
import type { Inbox } from './inbox.ts';
import type { SentMessage } from './message.ts';
import type { Outbox } from './outbox.ts';
import { type Sending, sendingSettingsSchema, statusScriptSchema } from './settings.ts';
import { newTemplateId } from './template-routes.ts';
import { declarationSchema, type Templates } from './templates.ts';
import type { Windows } from './windows.ts';

export interface MessageControlOptions {
  readonly platform: Platform;
  readonly outbox: Outbox;
  readonly phone: FlowPhone;
  readonly inbox: Inbox;
  readonly windows: Windows;
  readonly templates: Templates;
  readonly sending: Sending;
}

const scriptSchema = z.strictObject({ statuses: statusScriptSchema });
const exchangeSchema = z.strictObject({
  action: z._default(z.enum(['data_exchange', 'BACK']), 'data_exchange'),
  screen: z.optional(z.string()),
  data: z.optional(z.record(z.string(), z.unknown())),
});
const completionSchema = z.strictObject({ response: z.optional(z.record(z.string(), z.unknown())) });
const fileSchema = z.strictObject({ file_name: z.string(), mime_type: z.string(), base64: z.base64() });
const windowSchema = z.strictObject({ open: z.boolean(), free_entry_point: z._default(z.boolean(), false) });

/** Shows the messages, decides what becomes of them, and plays the phones of contacts who open Flows. */
export function messageControl(options: MessageControlOptions): ControlRoute[] {
  const { platform, outbox, phone, inbox, windows, templates, sending } = options;
  const { accounts, population, announce } = platform;
  const ofMessage = '/messages/{id}';
  return [
    get('/messages', () => ({ data: outbox.all() })),
    get(ofMessage, ({ id }) => outbox.get(id)),
    get(`${ofMessage}/flow`, ({ id }) => phone.look(outbox.get(id))),
    on('POST', `${ofMessage}/statuses`, scriptSchema, ({ statuses }, { id }) => {
      const message = outbox.get(id);
      outbox.play(message.id, statuses);
      return message;
    }),
    on('POST', `${ofMessage}/share-contact`, nothing, (_, { id }) => {
      const message = outbox.get(id);
      const number = findNumber(accounts, message.phone_number_id);
      if (number === undefined || Object(message.content).type !== 'request_contact_info') {
        throw new ControlError(409, 'The message does not ask for the phone number');
      }
      announce(sharedContact(message, number, platform));
      return message;
    }),
    on('POST', `${ofMessage}/open-flow`, nothing, (_, { id }) => phone.open(outbox.get(id))),
    on('POST', `${ofMessage}/pick-file`, fileSchema, (file, { id }) => phone.pick(outbox.get(id), file)),
    on('POST', `${ofMessage}/exchange-data`, exchangeSchema, (request, { id }) =>
      phone.exchange(outbox.get(id), request),
    ),
    on('POST', `${ofMessage}/complete-flow`, completionSchema, ({ response }, { id }) =>
      phone.complete(outbox.get(id), response),
    ),
    get('/inbox', () => ({ data: inbox.all() })),
    get('/templates', () => ({ data: templates.all() })),
    on('POST', '/templates', declarationSchema, (template) => {
      const [account] = accounts;
      return account
        ? templates.own(template, { id: newTemplateId(), waba_id: account.waba_id })
        : templates.declare(template);
    }),
    on('DELETE', '/templates', nothing, () => {
      templates.clear();
      return { data: templates.all() };
    }),
    get('/windows', () => ({ data: windows.all() })),
    on('PUT', '/windows/{phone_number_id}/{contact}', windowSchema, ({ open, free_entry_point: free }, params) => {
      const { phone_number_id = '', contact = '' } = params;
      if (findNumber(accounts, phone_number_id) === undefined) {
        throw new ControlError(404, `No account has the phone number ${phone_number_id}`);
      }
      return windows.set({ phone_number_id, contact: population.idOf(contact) }, { open, free });
    }),
    get('/sending', () => sending.settings),
    on('PATCH', '/sending', z.partial(sendingSettingsSchema), (changes) => {
      sending.settings = z.parse(sendingSettingsSchema, { ...sending.settings, ...changes });
      return sending.settings;
    }),
  ];
}

/** The response of a contact who was asked for the phone number (Meta's page "Contacts messages"). */
function sharedContact({ id, contact }: SentMessage, number: BusinessNumber, { population, now }: Platform): Change {
  const wa_id = isUserId(contact) ? sampleContact : contact;
  const card = { origin: 'contact_request', phones: [{ phone: `+${wa_id}`, wa_id, type: 'CELL' }] };
  const context = { from: number.phoneNumber, id };
  const person = population.memberOf(contact);
  return buildEvent({ type: 'contact_request_reply', contact: person, context, contacts: [card] }, number, now());
}
