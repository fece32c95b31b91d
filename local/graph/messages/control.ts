import * as z from 'zod/mini';
import { type BusinessAccount, findNumber } from '../core/accounts.ts';
import type { Population } from '../core/population.ts';
import type { Change } from '../events/events.ts';
import { ControlError, type ControlRequest, type ControlRoute, readJson } from '../http/control-route.ts';
import { jsonResponse } from '../http/http.ts';
import type { FlowPhone } from './flow-phone.ts';
import type { Inbox } from './inbox.ts';
import type { SentMessage } from './message.ts';
import type { Outbox } from './outbox.ts';
import { type SendingSettings, sendingSettingsSchema } from './settings.ts';
import { asksForContact, sharedContact } from './shared-contact.ts';
import { type StatusScripts, statusScriptSchema } from './status-script.ts';
import { declarationSchema, type Templates } from './templates.ts';
import type { Windows } from './windows.ts';

export interface MessageControlOptions {
  readonly accounts: readonly BusinessAccount[];
  readonly population: Population;
  readonly outbox: Outbox;
  readonly phone: FlowPhone;
  readonly inbox: Inbox;
  readonly windows: Windows;
  readonly scripts: StatusScripts;
  readonly templates: Templates;
  readonly settings: () => SendingSettings;
  readonly announce: (change: Change) => void;
  readonly now: () => number;
  readonly configure: (settings: SendingSettings) => void;
}

const scriptSchema = z.strictObject({ statuses: statusScriptSchema });
const exchangeSchema = z.strictObject({
  action: z._default(z.enum(['data_exchange', 'BACK']), 'data_exchange'),
  screen: z.optional(z.string()),
  data: z.optional(z.record(z.string(), z.unknown())),
});
const completionSchema = z.strictObject({ response: z.optional(z.record(z.string(), z.unknown())) });
const windowSchema = z.strictObject({ open: z.boolean(), free_entry_point: z._default(z.boolean(), false) });

/** Shows the messages, decides what becomes of them, and plays the phones of contacts who open Flows. */
export function messageControl(options: MessageControlOptions): ControlRoute[] {
  const { accounts, population, outbox, phone, inbox, windows, scripts, templates } = options;
  const { settings, configure, announce, now } = options;
  const showScripts = () => jsonResponse(200, scripts.all());
  const showTemplates = () => jsonResponse(200, { data: templates.all() });
  return [
    { method: 'GET', path: '/messages', handle: () => jsonResponse(200, { data: outbox.all() }) },
    { method: 'GET', path: '/messages/{id}', handle: ({ params }) => jsonResponse(200, outbox.get(params.id ?? '')) },
    action('statuses', (message, body) => {
      outbox.play(message.id, readJson(scriptSchema, body).statuses);
      return message;
    }),
    {
      method: 'GET',
      path: '/messages/{id}/flow',
      handle: ({ params }) => jsonResponse(200, phone.look(outbox.get(params.id ?? ''))),
    },
    action('open-flow', (message) => phone.open(message)),
    action('exchange-data', (message, body) => phone.exchange(message, readJson(exchangeSchema, body))),
    action('share-contact', shareContact),
    action('complete-flow', (message, body) => phone.complete(message, readJson(completionSchema, body).response)),
    { method: 'GET', path: '/inbox', handle: () => jsonResponse(200, { data: inbox.all() }) },
    { method: 'GET', path: '/statuses', handle: showScripts },
    {
      method: 'PUT',
      path: '/statuses/{contact}',
      handle({ params: { contact = '' }, body }) {
        const { statuses } = readJson(scriptSchema, body);
        if (contact === 'next') scripts.addForNext(statuses);
        else scripts.setFor(population.idOf(contact), statuses);
        return showScripts();
      },
    },
    {
      method: 'DELETE',
      path: '/statuses',
      handle() {
        scripts.clear();
        return showScripts();
      },
    },
    { method: 'GET', path: '/templates', handle: showTemplates },
    {
      method: 'POST',
      path: '/templates',
      handle: ({ body }) => jsonResponse(200, templates.declare(readJson(declarationSchema, body))),
    },
    {
      method: 'DELETE',
      path: '/templates',
      handle() {
        templates.clear();
        return showTemplates();
      },
    },
    { method: 'GET', path: '/windows', handle: () => jsonResponse(200, { data: windows.all() }) },
    { method: 'PUT', path: '/windows/{phone_number_id}/{contact}', handle: setWindow },
    { method: 'GET', path: '/sending', handle: () => jsonResponse(200, settings()) },
    {
      method: 'PATCH',
      path: '/sending',
      handle({ body }) {
        const changes = readJson(z.partial(sendingSettingsSchema), body);
        configure(z.parse(sendingSettingsSchema, { ...settings(), ...changes }));
        return jsonResponse(200, settings());
      },
    },
  ];

  function action(name: string, act: (message: SentMessage, body: Uint8Array) => unknown): ControlRoute {
    const path = `/messages/{id}/${name}`;
    const handle = async ({ params, body }: ControlRequest) =>
      jsonResponse(200, await act(outbox.get(params.id ?? ''), body));
    return { method: 'POST', path, handle };
  }

  function shareContact(message: SentMessage): SentMessage {
    const number = findNumber(accounts, message.phone_number_id);
    if (number === undefined || !asksForContact(message)) {
      throw new ControlError(409, 'The message does not ask for the phone number');
    }
    announce(sharedContact(message, { number, person: population.memberOf(message.contact) }, now()));
    return message;
  }

  function setWindow({ params: { phone_number_id = '', contact = '' }, body }: ControlRequest) {
    if (findNumber(accounts, phone_number_id) === undefined) {
      throw new ControlError(404, `No account has the phone number ${phone_number_id}`);
    }
    const { open, free_entry_point: free } = readJson(windowSchema, body);
    return jsonResponse(200, windows.set({ phone_number_id, contact: population.idOf(contact) }, { open, free }));
  }
}
