import * as z from 'zod/mini';
import { findNumber, numbersOf } from '../core/accounts.ts';
import { type ContactId, isUserId, phoneDigits, sampleContact } from '../core/contacts.ts';
import type { Change, Chat, Platform } from '../core/platform.ts';
import type { Records } from '../core/records.ts';
import { sdpAnswer, sdpOffer } from '../events/samples.ts';
import { ControlError, type ControlRoute, get, nothing, on } from '../http/control-route.ts';
import { GraphError } from '../http/graph-errors.ts';
import type { CallingSettings } from '../settings/calling-settings.ts';
import {
  accepted,
  answered,
  type Call,
  ended,
  isLive,
  isMissed,
  isRinging,
  type NewCall,
  preAccepted,
  rejected,
  ringing,
  type SdpType,
  sdpFault,
  unanswered,
} from './calls.ts';
import { callStatus, connectEvent, type Parties, terminateEvent } from './events.ts';
import type { CallPermissionStore } from './permission-store.ts';
import { assertMayCall } from './permissions.ts';
import type { Recordings } from './recordings.ts';

export interface SwitchboardOptions {
  readonly platform: Platform;
  readonly callingSettings: CallingSettings;
  readonly permissions: CallPermissionStore;
  readonly recordings: Recordings;
  /** A call opens the window of its contact. */
  readonly contactActed: (chat: Chat) => void;
}

const keptCalls = 1000;

/** Connects calls between businesses and users, and tells the business what happens. */
export class Switchboard {
  readonly #options: SwitchboardOptions;
  readonly #records: Records<Call>;
  readonly #ringing = new Map<string, NodeJS.Timeout>();
  /** How long a call rings before it ends unanswered. */
  ringSeconds = 45;

  /** Calls of an earlier run continue. */
  constructor(options: SwitchboardOptions) {
    this.#options = options;
    this.#records = options.platform.open('calls');
    for (const call of this.all().filter(isRinging)) this.#ring(call);
  }

  /** The latest calls, newest first. */
  all(): Call[] {
    return [...this.#records.values()].reverse();
  }

  /** Throws Graph's "invalid parameter". */
  get(id: string): Call {
    const call = this.#records.get(id);
    if (call === undefined) throw new GraphError('call_unknown');
    return call;
  }

  /** The business calls a user, whose phone rings. Throws if something prevents the call. */
  callUser(
    chat: Chat,
    session: Pick<NewCall, 'offer' | 'biz_opaque_callback_data' | 'recording' | 'transcription'>,
  ): Call {
    const { permissions, platform } = this.#options;
    this.#assertPossible(chat);
    assertMayCall(permissions.of(chat), platform.now());
    const call = this.#start({ ...chat, direction: 'BUSINESS_INITIATED', ...session });
    this.#tell(call, (between) => callStatus(call, 'RINGING', between, platform.now()));
    return call;
  }

  /** A user calls the business, which rings. */
  callBusiness(chat: Chat, offer: string): Call {
    this.#assertPossible(chat);
    const call = this.#start({ ...chat, direction: 'USER_INITIATED', offer, biz_opaque_callback_data: null });
    this.#options.contactActed(chat);
    this.#tell(call, (between) => connectEvent(call, between));
    return call;
  }

  preAccept(call: Call, answer: string): void {
    this.#save(preAccepted(call, answer));
  }

  accept(call: Call, answer: string): void {
    this.#save(accepted(call, answer, this.#options.platform.now()));
  }

  /** The user accepts the business's call. */
  answer(call: Call, answer: string): Call {
    const { permissions, platform, contactActed } = this.#options;
    const next = this.#save(answered(call, answer, platform.now()));
    permissions.countConnected(next);
    contactActed(next);
    this.#tell(next, (between) => connectEvent(next, between));
    this.#tell(next, (between) => callStatus(next, 'ACCEPTED', between, platform.now()));
    return next;
  }

  reject(call: Call, by: 'business' | 'user'): Call {
    const { now } = this.#options.platform;
    const next = rejected(call, by, now());
    if (by === 'user') this.#tell(next, (between) => callStatus(next, 'REJECTED', between, now()));
    return this.#end(next);
  }

  hangUp(call: Call): Call {
    return this.#end(ended(call, 'hang_up', this.#options.platform.now()));
  }

  /** Nobody answered in time. */
  miss(call: Call): Call {
    return this.#end(unanswered(call, this.#options.platform.now()));
  }

  /** The contact leaves a message after a call that nobody answered. Throws if it was another call. */
  leaveVoicemail(call: Call): Call {
    if (!isMissed(call)) throw new GraphError('call_state_invalid', 'Voicemail is for missed calls of contacts.');
    this.#tell(call, (between) => this.#options.recordings.voicemailOf(call, between));
    return call;
  }

  /** Stops the timers. The calls keep their state. */
  close(): void {
    for (const timer of this.#ringing.values()) clearTimeout(timer);
  }

  #start(call: NewCall): Call {
    const started = this.#save(ringing(call, this.#options.platform.now()));
    this.#ring(started);
    const oldest = this.#records.size > keptCalls ? [...this.#records.values()].find((one) => !isLive(one)) : undefined;
    if (oldest !== undefined) this.#records.delete(oldest.id);
    return started;
  }

  #ring({ id, started_at }: Call): void {
    const left = Math.max(0, started_at + this.ringSeconds * 1000 - this.#options.platform.now());
    this.#ringing.set(id, setTimeout(() => this.miss(this.get(id)), left).unref());
  }

  #end(call: Call): Call {
    this.#save(call);
    this.#tell(call, (between) => terminateEvent(call, between));
    this.#tell(call, (between) => this.#options.recordings.eventsOf(call, between));
    return call;
  }

  #save(call: Call): Call {
    this.#records.set(call.id, call);
    if (!isRinging(call)) {
      clearTimeout(this.#ringing.get(call.id));
      this.#ringing.delete(call.id);
    }
    return call;
  }

  #assertPossible({ phone_number_id, contact }: Chat): void {
    this.#options.callingSettings.assertSignalsOverGraph(phone_number_id);
    const isSame = (call: Call) => call.phone_number_id === phone_number_id && call.contact === contact;
    if (this.all().some((call) => isSame(call) && isLive(call))) throw new GraphError('duplicate_call');
  }

  /** Sends no event if the number of the call, which may be from an earlier run, no longer belongs to an account. */
  #tell({ phone_number_id, contact }: Call, eventsOf: (between: Parties) => Change | Change[]): void {
    const { accounts, population, announce } = this.#options.platform;
    const number = findNumber(accounts, phone_number_id);
    if (number === undefined) return;
    for (const event of [eventsOf({ number, contact: population.memberOf(contact) })].flat()) announce(event);
  }
}

const startSchema = z.strictObject({
  /** Defaults to the first number with calling enabled. */
  phone_number_id: z.optional(z.string()),
  /** The caller: a phone number or a business-scoped user id. */
  from: z._default(z.string(), sampleContact),
  sdp: z._default(z.string(), sdpOffer),
});

const answerSchema = z.strictObject({ sdp: z._default(z.string(), sdpAnswer) });

const ringSchema = z.strictObject({ ring_seconds: z.number().check(z.gte(0), z.lte(86_400)) });

/** Plays the users' phones, which call, accept, reject, hang up and let calls ring. */
export function callControl(
  { accounts, population }: Platform,
  callingSettings: CallingSettings,
  switchboard: Switchboard,
): ControlRoute[] {
  return [
    get('/calls', () => ({ data: switchboard.all() })),
    on('POST', '/calls', startSchema, ({ phone_number_id, from, sdp }) => {
      const first = numbersOf(accounts).find((one) => callingSettings.isOn(one.phoneNumberId));
      const called = phone_number_id ?? first?.phoneNumberId;
      if (called === undefined) throw new ControlError(409, 'No phone number takes calls');
      const chat = { phone_number_id: called, contact: population.idOf(contactIn(from)) };
      return switchboard.callBusiness(chat, usable(sdp, 'offer'));
    }),
    get('/calls/{id}', ({ id }) => callOf(id)),
    on('POST', '/calls/{id}/answer', answerSchema, ({ sdp }, { id }) =>
      switchboard.answer(callOf(id), usable(sdp, 'answer')),
    ),
    action('reject', (call) => switchboard.reject(call, 'user')),
    action('hang-up', (call) => switchboard.hangUp(call)),
    action('no-answer', (call) => switchboard.miss(call)),
    action('voicemail', (call) => switchboard.leaveVoicemail(call)),
    on('PATCH', '/calling', ringSchema, (settings) => {
      switchboard.ringSeconds = settings.ring_seconds;
      return settings;
    }),
  ];

  function action(name: string, act: (call: Call) => Call): ControlRoute {
    return on('POST', `/calls/{id}/${name}`, nothing, (_, { id }) => act(callOf(id)));
  }

  /** `latest` means the call that began last. */
  function callOf(id = ''): Call {
    const [latest] = switchboard.all();
    if (id !== 'latest') return switchboard.get(id);
    if (latest === undefined) throw new ControlError(404, 'There was no call yet');
    return latest;
  }
}

/** Throws a 400 unless the text is a phone number or a business-scoped user id. */
function contactIn(text: string): ContactId {
  const contact = isUserId(text) ? text : phoneDigits(text);
  if (contact === undefined) throw new ControlError(400, 'The contact is neither a phone number nor a user id');
  return contact;
}

function usable(sdp: string, type: SdpType): string {
  const fault = sdpFault(sdp, type);
  if (fault !== undefined) throw new ControlError(400, `sdp is not a valid ${type}: ${fault}`);
  return sdp;
}
