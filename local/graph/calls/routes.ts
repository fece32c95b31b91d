import * as z from 'zod/mini';
import { type ContactId, isUserId, phoneDigits } from '../core/contacts.ts';
import type { Platform } from '../core/platform.ts';
import { GraphError } from '../http/graph-errors.ts';
import type { GraphRequest, GraphRoute } from '../http/graph-route.ts';
import { assertProduct } from '../http/params.ts';
import { oneOf, readAs, rule, text } from '../http/read-as.ts';
import type { CallingSettings } from '../settings/calling-settings.ts';
import type { NumberSetup } from '../setup/number-setup.ts';
import { type Call, type KeptRecord, type SdpType, sdpFault } from './calls.ts';
import type { CallPermissionStore } from './permission-store.ts';
import { permissionNode } from './permissions.ts';
import type { Switchboard } from './switchboard.ts';

export interface CallRoutesOptions {
  readonly platform: Platform;
  readonly callingSettings: CallingSettings;
  readonly switchboard: Switchboard;
  readonly permissions: CallPermissionStore;
  readonly numbers: NumberSetup;
}

const sessionOf = (type: SdpType) =>
  z.looseObject({
    sdp_type: oneOf(type),
    sdp: text().check(
      rule((sdp: string) => {
        const fault = sdpFault(sdp, type);
        return fault === undefined ? undefined : { says: `is not a valid ${type}: ${fault}` };
      }),
    ),
  });

/** What is to be kept of a call (Meta's pages "Call recording" and "Call transcription"). */
const keptSchema = z.pipe(
  z.discriminatedUnion('status', [
    z.looseObject({ status: z.literal('DISABLED') }),
    z.looseObject({
      status: z.literal('ENABLED'),
      purpose: text(250),
      announcement_language: z._default(z.nullable(z.string()), null),
    }),
  ]),
  z.transform((record): KeptRecord | null =>
    record.status === 'DISABLED'
      ? null
      : { purpose: record.purpose, announcement_language: record.announcement_language },
  ),
);
const kept = {
  recording: z._default(z.nullable(keptSchema), null),
  transcription: z._default(z.nullable(keptSchema), null),
};

const phoneNumber = text().check(z.refine((to) => phoneDigits(to) !== undefined, 'has to be a phone number'));
const userId = text().check(z.refine(isUserId, 'has to be a business-scoped user id'));
const callbackData = { biz_opaque_callback_data: z._default(z.nullable(text(512)), null) };
const ofCall = { call_id: text(), ...callbackData };

const connectSchema = z.looseObject({
  to: z.optional(z.nullable(phoneNumber)),
  recipient: z.optional(userId),
  session: sessionOf('offer'),
  ...kept,
  ...callbackData,
});
const preAcceptSchema = z.looseObject({ ...ofCall, session: sessionOf('answer') });
const acceptSchema = z.looseObject({ ...ofCall, session: sessionOf('answer'), ...kept });
const endSchema = z.looseObject(ofCall);
const askSchema = z.object({ user_wa_id: z.optional(phoneNumber), recipient: z.optional(userId) });

const done = { messaging_product: 'whatsapp', success: true } as const;

/** Graph's operations on calls (Meta's pages "Calling API" and "Obtain user call permissions"). */
export function callRoutes(options: CallRoutesOptions): GraphRoute[] {
  const { platform, callingSettings, switchboard, permissions, numbers } = options;
  const { population, faults, now } = platform;
  return [
    action('connect', 'connect_call', connectSchema, (id, body) => {
      numbers.assertRegistered(id);
      if (faults.has('calls_restricted')) throw new GraphError('calling_temporarily_disabled');
      if (faults.has('payment_missing')) throw new GraphError('payment_issue');
      const { to, recipient, session, biz_opaque_callback_data, recording, transcription } = body;
      const chat = { phone_number_id: id, contact: contactIn(to, recipient, 'to') };
      const asked = { offer: session.sdp, biz_opaque_callback_data, recording, transcription };
      return { messaging_product: 'whatsapp', calls: [{ id: switchboard.callUser(chat, asked).id }] };
    }),
    action('pre_accept', 'pre_accept_call', preAcceptSchema, (id, body) => {
      switchboard.preAccept(callOf(id, body), body.session.sdp);
      return done;
    }),
    action('accept', 'accept_call', acceptSchema, (id, body) => {
      const { recording, transcription, session } = body;
      switchboard.accept({ ...callOf(id, body), recording, transcription }, session.sdp);
      return done;
    }),
    action('reject', 'reject_call', endSchema, (id, body) => {
      switchboard.reject(callOf(id, body), 'business');
      return done;
    }),
    action('terminate', 'terminate_call', endSchema, (id, body) => {
      switchboard.hangUp(callOf(id, body));
      return done;
    }),
    { operation: 'call_action', method: 'POST', edge: 'calls', handle: rejectAction },
    { operation: 'get_call_permissions', method: 'GET', edge: 'call_permissions', handle: getPermission },
  ];

  /** One of several operations on the same edge. The body names the operation. */
  function action<Schema extends z.ZodMiniType>(
    name: string,
    operation: string,
    schema: Schema,
    act: (id: string, body: z.output<Schema>) => object,
  ): GraphRoute {
    return {
      operation,
      method: 'POST',
      edge: 'calls',
      takes: ({ params }) => params.get('action') === name,
      handle({ id, params }) {
        assertProduct(params);
        callingSettings.assertSignalsOverGraph(id);
        return act(id, readAs(schema, Object.fromEntries(params)));
      },
    };
  }

  function getPermission({ id, url }: GraphRequest) {
    callingSettings.assertOn(id);
    const { user_wa_id, recipient } = readAs(askSchema, Object.fromEntries(url.searchParams));
    return permissionNode(
      permissions.of({ phone_number_id: id, contact: contactIn(user_wa_id, recipient, 'user_wa_id') }),
      now(),
    );
  }

  /** The phone number takes precedence if both are given. */
  function contactIn(phone: string | null | undefined, user: string | undefined, name: 'to' | 'user_wa_id'): ContactId {
    const contact = (phone && phoneDigits(phone)) ?? user;
    if (!contact) throw new GraphError('invalid_parameter', `The parameter ${name} is required`);
    return population.idOf(contact);
  }

  /** The call that the body names. It must belong to the phone number in the path. */
  function callOf(id: string, body: z.infer<typeof endSchema>): Call {
    const call = switchboard.get(body.call_id);
    if (call.phone_number_id !== id) throw new GraphError('call_unknown');
    return { ...call, biz_opaque_callback_data: body.biz_opaque_callback_data ?? call.biz_opaque_callback_data };
  }
}

function rejectAction(): never {
  const actions = 'connect, pre_accept, accept, reject or terminate';
  throw new GraphError('invalid_parameter', `Param action must be ${actions}`);
}
