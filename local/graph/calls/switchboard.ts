import { type BusinessAccount, findNumber } from '../core/accounts.ts';
import type { ContactId } from '../core/contacts.ts';
import { GraphError } from '../core/graph-errors.ts';
import type { Population } from '../core/population.ts';
import { RateWindow } from '../core/rate-window.ts';
import type { Records } from '../core/records.ts';
import type { Change } from '../events/events.ts';
import type { CallingSettings } from '../settings/calling-settings.ts';
import {
  accepted,
  answered,
  type Call,
  type CallEnd,
  ended,
  isLive,
  isMissed,
  isRinging,
  type NewCall,
  preAccepted,
  rejected,
  ringing,
  unanswered,
} from './calls.ts';
import { callCreatedEvent, callStatus, connectEvent, type Parties, terminateEvent } from './events.ts';
import type { CallPermissionStore } from './permission-store.ts';
import { assertMayCall } from './permissions.ts';
import type { Recordings } from './recordings.ts';
import type { CallSettings } from './settings.ts';

export interface SwitchboardOptions {
  readonly accounts: readonly BusinessAccount[];
  readonly callingSettings: CallingSettings;
  readonly population: Population;
  readonly records: Records<Call>;
  readonly permissions: CallPermissionStore;
  readonly recordings: Recordings;
  readonly settings: CallSettings;
  readonly announce: (change: Change) => void;
  /** Learns of an event that the business does not get. */
  readonly note: (change: Change) => void;
  readonly now: () => number;
}

const keptCalls = 1000;

/** Connects calls between businesses and users, and tells the business what happens. */
export class Switchboard {
  readonly #options: SwitchboardOptions;
  readonly #ringing = new Map<string, NodeJS.Timeout>();
  readonly #starts = new RateWindow();
  #settings: CallSettings;

  /** Calls of an earlier run continue. */
  constructor(options: SwitchboardOptions) {
    this.#options = options;
    this.#settings = options.settings;
    for (const call of this.all().filter(isRinging)) this.#ring(call);
  }

  get settings(): CallSettings {
    return this.#settings;
  }

  /** Applies to calls that begin from now on. */
  configure(settings: CallSettings): void {
    this.#settings = settings;
  }

  /** The latest calls, newest first. */
  all(): Call[] {
    return [...this.#options.records.values()].reverse();
  }

  /** Throws Graph's "invalid parameter". */
  get(id: string): Call {
    const call = this.#options.records.get(id);
    if (call === undefined) throw new GraphError('call_unknown');
    return call;
  }

  /** The business calls a user, whose phone rings. Throws if something prevents the call. */
  callUser(
    phoneNumberId: string,
    contact: ContactId,
    session: Pick<NewCall, 'offer' | 'biz_opaque_callback_data' | 'recording' | 'transcription'>,
  ): Call {
    const { permissions, now } = this.#options;
    this.#assertCallable(phoneNumberId);
    assertMayCall(permissions.of(phoneNumberId, contact), this.#settings, now());
    this.#assertRoom(phoneNumberId, contact);
    if (!this.#starts.take(phoneNumberId, this.#settings.calls_per_second, now())) {
      throw new GraphError('call_rate_limit');
    }
    const direction = 'BUSINESS_INITIATED';
    const call = this.#start({ phone_number_id: phoneNumberId, contact, direction, ...session });
    this.#tell(call, (between) => callStatus(call, 'RINGING', between, now()));
    return call;
  }

  /** A user calls the business, which rings. */
  callBusiness(phoneNumberId: string, contact: ContactId, offer: string): Call {
    this.#assertCallable(phoneNumberId);
    this.#assertRoom(phoneNumberId, contact);
    const { callingSettings, permissions } = this.#options;
    const direction = 'USER_INITIATED';
    const call = this.#start({
      phone_number_id: phoneNumberId,
      contact,
      direction,
      offer,
      biz_opaque_callback_data: null,
    });
    const eventOf = callingSettings.usesSip(phoneNumberId) ? callCreatedEvent : connectEvent;
    this.#tell(call, (between) => eventOf(call, between));
    if (callingSettings.asksCallers(phoneNumberId)) permissions.grantByCall(call);
    return call;
  }

  preAccept(call: Call, answer: string): void {
    this.#save(preAccepted(call, answer));
  }

  accept(call: Call, answer: string): void {
    this.#save(accepted(call, answer, this.#options.now()));
  }

  /** The user accepts the business's call. */
  answer(call: Call, answer: string): Call {
    const { permissions, now } = this.#options;
    const next = this.#save(answered(call, answer, now()));
    permissions.countConnected(next.phone_number_id, next.contact);
    this.#tell(next, (between) => connectEvent(next, between));
    this.#tell(next, (between) => callStatus(next, 'ACCEPTED', between, now()));
    return next;
  }

  reject(call: Call, by: 'business' | 'user'): Call {
    const { now } = this.#options;
    const next = rejected(call, by, now());
    if (by === 'user') this.#tell(next, (between) => callStatus(next, 'REJECTED', between, now()));
    return this.#end(next);
  }

  hangUp(call: Call): Call {
    return this.#end(ended(call, 'hang_up', this.#options.now()));
  }

  /** Nobody answered in time. */
  miss(call: Call): Call {
    return this.#end(unanswered(call, this.#options.now()));
  }

  /** The contact leaves a message after a call that nobody answered. Throws if it was another call. */
  leaveVoicemail(call: Call): Call {
    if (!isMissed(call)) throw new GraphError('call_state_invalid', 'Voicemail is for missed calls of contacts.');
    this.#tell(call, (between) => this.#options.recordings.voicemailOf(call, between));
    return call;
  }

  /** A technical fault ends the call. */
  fail(call: Call, error: GraphError): Call {
    return this.#end(ended(call, 'failure', this.#options.now()), error);
  }

  /** Stops the timers. The calls keep their state. */
  close(): void {
    for (const timer of this.#ringing.values()) clearTimeout(timer);
  }

  #start(call: NewCall): Call {
    const started = this.#save(ringing(call, this.#options.now()));
    this.#ring(started);
    this.#forgetOldest();
    return started;
  }

  #ring({ id, started_at }: Call): void {
    const left = Math.max(0, started_at + this.#settings.ring_seconds * 1000 - this.#options.now());
    this.#ringing.set(id, setTimeout(() => this.miss(this.get(id)), left).unref());
  }

  #end(call: Call, error?: GraphError): Call {
    const { permissions, recordings } = this.#options;
    this.#save(call);
    this.#tell(call, (between) => terminateEvent(call, between, error));
    this.#tell(call, (between) => recordings.eventsOf(call, between));
    const missed: readonly (CallEnd | null)[] = ['rejection', 'no_answer'];
    if (call.direction === 'BUSINESS_INITIATED' && missed.includes(call.ended_by)) {
      permissions.countUnanswered(call.phone_number_id, call.contact);
    }
    return call;
  }

  #save(call: Call): Call {
    this.#options.records.set(call.id, call);
    if (!isRinging(call)) {
      clearTimeout(this.#ringing.get(call.id));
      this.#ringing.delete(call.id);
    }
    return call;
  }

  #forgetOldest(): void {
    const { records } = this.#options;
    const oldest = records.size > keptCalls ? [...records.values()].find((call) => !isLive(call)) : undefined;
    if (oldest !== undefined) records.delete(oldest.id);
  }

  #assertRoom(phoneNumberId: string, contact: ContactId): void {
    const live = this.all().filter((call) => call.phone_number_id === phoneNumberId && isLive(call));
    if (live.some((call) => call.contact === contact)) throw new GraphError('duplicate_call');
    const { concurrent_calls } = this.#settings;
    if (concurrent_calls !== null && live.length >= concurrent_calls) throw new GraphError('concurrent_call_limit');
  }

  #assertCallable(phoneNumberId: string): void {
    if (!this.#options.callingSettings.isOn(phoneNumberId)) throw new GraphError('calling_not_enabled');
  }

  /** Sends no event if the number of the call, which may be from an earlier run, no longer belongs to an account. */
  #tell({ phone_number_id, contact }: Call, eventsOf: (between: Parties) => Change | Change[]): void {
    const { accounts, population, callingSettings, announce, note } = this.#options;
    const number = findNumber(accounts, phone_number_id);
    if (number === undefined) return;
    const tell = callingSettings.hasWebhooks(phone_number_id) ? announce : note;
    for (const event of [eventsOf({ number, contact: population.memberOf(contact) })].flat()) tell(event);
  }
}
