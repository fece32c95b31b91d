import * as z from 'zod/mini';
import { type BusinessAccount, findNumber } from '../core/accounts.ts';
import { ControlError, type ControlRequest, type ControlRoute, readJson } from '../http/control-route.ts';
import { jsonResponse } from '../http/http.ts';
import type { Inbox } from './inbox.ts';
import type { Outbox } from './outbox.ts';
import { type SendingSettings, sendingSettingsSchema } from './settings.ts';
import { type StatusScripts, statusScriptSchema } from './status-script.ts';
import type { Windows } from './windows.ts';

export interface MessageControlOptions {
  readonly accounts: readonly BusinessAccount[];
  readonly outbox: Outbox;
  readonly inbox: Inbox;
  readonly windows: Windows;
  readonly scripts: StatusScripts;
  readonly settings: () => SendingSettings;
  readonly configure: (settings: SendingSettings) => void;
}

const scriptSchema = z.strictObject({ statuses: statusScriptSchema });
const windowSchema = z.strictObject({ open: z.boolean() });

/** Shows the messages, and decides what becomes of them. */
export function messageControl(options: MessageControlOptions): ControlRoute[] {
  const { accounts, outbox, inbox, windows, scripts, settings, configure } = options;
  const showScripts = () => jsonResponse(200, scripts.all());
  return [
    { method: 'GET', path: '/messages', handle: () => jsonResponse(200, { data: outbox.all() }) },
    { method: 'GET', path: '/messages/{id}', handle: ({ params }) => jsonResponse(200, outbox.get(params.id ?? '')) },
    {
      method: 'POST',
      path: '/messages/{id}/statuses',
      handle({ params, body }) {
        const message = outbox.get(params.id ?? '');
        outbox.play(message.id, readJson(scriptSchema, body).statuses);
        return jsonResponse(200, message);
      },
    },
    { method: 'GET', path: '/inbox', handle: () => jsonResponse(200, { data: inbox.all() }) },
    { method: 'GET', path: '/statuses', handle: showScripts },
    {
      method: 'PUT',
      path: '/statuses/{contact}',
      handle({ params: { contact = '' }, body }) {
        const { statuses } = readJson(scriptSchema, body);
        if (contact === 'next') scripts.addForNext(statuses);
        else scripts.setFor(contact, statuses);
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

  function setWindow({ params: { phone_number_id = '', contact = '' }, body }: ControlRequest) {
    if (findNumber(accounts, phone_number_id) === undefined) {
      throw new ControlError(404, `No account has the phone number ${phone_number_id}`);
    }
    return jsonResponse(200, windows.set(phone_number_id, contact, readJson(windowSchema, body).open));
  }
}
