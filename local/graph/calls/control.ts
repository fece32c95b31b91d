import * as z from 'zod/mini';
import { type BusinessAccount, type BusinessNumber, numbersOf } from '../core/accounts.ts';
import { type ContactId, isUserId, phoneDigits, sampleContact } from '../core/contacts.ts';
import { GraphError, graphErrorNames } from '../core/graph-errors.ts';
import type { Population } from '../core/population.ts';
import { sdpAnswer, sdpOffer } from '../events/samples.ts';
import { ControlError, type ControlRequest, type ControlRoute, readJson } from '../http/control-route.ts';
import { jsonResponse } from '../http/http.ts';
import type { CallingSettings } from '../settings/calling-settings.ts';
import type { Call } from './calls.ts';
import { type SdpType, sdpFault } from './sdp-fault.ts';
import { callSettingsSchema } from './settings.ts';
import type { Switchboard } from './switchboard.ts';

const startSchema = z.strictObject({
  /** Defaults to the first number with calling enabled. */
  phone_number_id: z.optional(z.string()),
  /** The caller: a phone number or a business-scoped user id. */
  from: z._default(z.string(), sampleContact),
  sdp: z._default(z.string(), sdpOffer),
});

const answerSchema = z.strictObject({ sdp: z._default(z.string(), sdpAnswer) });

const failureSchema = z.strictObject({ name: z._default(z.enum(graphErrorNames), 'call_setup_failed') });

export interface CallControlOptions {
  readonly accounts: readonly BusinessAccount[];
  readonly callingSettings: CallingSettings;
  readonly population: Population;
  readonly switchboard: Switchboard;
}

/** Plays the users' phones, which call, accept, reject, hang up and let calls ring. */
export function callControl(options: CallControlOptions): ControlRoute[] {
  const { accounts, callingSettings, population, switchboard } = options;
  const settings = () => jsonResponse(200, switchboard.settings);
  return [
    { method: 'GET', path: '/calls', handle: () => jsonResponse(200, { data: switchboard.all() }) },
    { method: 'POST', path: '/calls', handle: ({ body }) => jsonResponse(200, start(body)) },
    { method: 'GET', path: '/calls/{id}', handle: ({ params }) => jsonResponse(200, callOf(params)) },
    action('answer', (call, body) => switchboard.answer(call, usable(readJson(answerSchema, body).sdp, 'answer'))),
    action('reject', (call) => switchboard.reject(call, 'user')),
    action('hang-up', (call) => switchboard.hangUp(call)),
    action('no-answer', (call) => switchboard.miss(call)),
    action('voicemail', (call) => switchboard.leaveVoicemail(call)),
    action('fail', (call, body) => switchboard.fail(call, new GraphError(readJson(failureSchema, body).name))),
    { method: 'GET', path: '/calling', handle: settings },
    {
      method: 'PATCH',
      path: '/calling',
      handle({ body }) {
        const changes = readJson(z.partial(callSettingsSchema), body);
        switchboard.configure(z.parse(callSettingsSchema, { ...switchboard.settings, ...changes }));
        return settings();
      },
    },
  ];

  function action(name: string, act: (call: Call, body: Uint8Array) => Call): ControlRoute {
    const handle = ({ params, body }: ControlRequest) => jsonResponse(200, act(callOf(params), body));
    return { method: 'POST', path: `/calls/{id}/${name}`, handle };
  }

  function start(body: Uint8Array): Call {
    const request = readJson(startSchema, body);
    const takesCalls = (one: BusinessNumber) => callingSettings.isOn(one.phoneNumberId);
    const number = request.phone_number_id ?? numbersOf(accounts).find(takesCalls)?.phoneNumberId;
    if (number === undefined) throw new ControlError(409, 'No phone number takes calls');
    return switchboard.callBusiness(number, population.idOf(contactIn(request.from)), usable(request.sdp, 'offer'));
  }

  /** `latest` means the call that began last. */
  function callOf({ id = '' }: ControlRequest['params']): Call {
    const [latest] = switchboard.all();
    if (id !== 'latest') return switchboard.get(id);
    if (latest === undefined) throw new ControlError(404, 'There was no call yet');
    return latest;
  }
}

/** Throws a 400 unless the text is a phone number or a business-scoped user id. */
export function contactIn(text: string): ContactId {
  const contact = isUserId(text) ? text : phoneDigits(text);
  if (contact === undefined) throw new ControlError(400, 'The contact is neither a phone number nor a user id');
  return contact;
}

function usable(sdp: string, type: SdpType): string {
  const fault = sdpFault(sdp, type);
  if (fault !== undefined) throw new ControlError(400, `sdp is not a valid ${type}: ${fault}`);
  return sdp;
}
