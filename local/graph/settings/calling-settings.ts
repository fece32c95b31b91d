import { type BusinessAccount, findNumber } from '../core/accounts.ts';
import { GraphError } from '../core/graph-errors.ts';
import type { Records } from '../core/records.ts';
import type { SetupFaults } from '../setup/faults.ts';
import type { CallingChanges } from './calling-schema.ts';

/** `calling` in the settings of a phone number. */
export interface Calling extends CallingChanges {
  readonly status: 'ENABLED' | 'DISABLED';
  readonly sip: NonNullable<CallingChanges['sip']> & { readonly status: 'ENABLED' | 'DISABLED' };
  /** Only while there are some. */
  readonly restrictions?: { readonly restrictions_list: readonly Restriction[] };
}

/** What Meta forbids after bad feedback. `expiration` is in seconds since the epoch. */
interface Restriction {
  readonly type: 'RESTRICTED_BUSINESS_INITIATED_CALLING';
  readonly reason: string;
  readonly expiration: number;
}

/** The calling settings of the phone numbers. Until they are changed, the account says whether calling is on. */
export class CallingSettings {
  readonly #accounts: readonly BusinessAccount[];
  readonly #records: Records<Calling>;
  readonly #faults: SetupFaults;

  constructor(accounts: readonly BusinessAccount[], records: Records<Calling>, faults: SetupFaults) {
    this.#accounts = accounts;
    this.#records = records;
    this.#faults = faults;
  }

  /** Throws if no account has the phone number. */
  of(phoneNumberId: string): Calling {
    const faults = this.#faults;
    return {
      ...this.#stored(phoneNumberId),
      ...(faults.has('calling_off') && { status: 'DISABLED' }),
      ...(faults.has('sip_on') && { sip: foreignSip }),
      ...(faults.has('calls_restricted') && { restrictions: { restrictions_list: [restriction] } }),
    };
  }

  isOn(phoneNumberId: string): boolean {
    return this.of(phoneNumberId).status === 'ENABLED';
  }

  /** Whether calls come and go over SIP. */
  usesSip(phoneNumberId: string): boolean {
    return this.of(phoneNumberId).sip.status === 'ENABLED';
  }

  /** Whether the business gets webhooks of calls, which is a choice over SIP. */
  hasWebhooks(phoneNumberId: string): boolean {
    const { sip } = this.of(phoneNumberId);
    return sip.status !== 'ENABLED' || sip.webhook_delivery === 'ENABLED';
  }

  /** Whether a contact who calls permits calls of the business. */
  asksCallers(phoneNumberId: string): boolean {
    return this.of(phoneNumberId).callback_permission_status === 'ENABLED';
  }

  /** Changes the members that are there. Each replaces the old one as a whole, except for `sip`. */
  change(phoneNumberId: string, { sip, ...changes }: CallingChanges): Calling {
    const old = this.#stored(phoneNumberId);
    const changed: Calling = {
      ...old,
      ...changes,
      status: changes.status ?? old.status,
      sip: { ...old.sip, ...sip, status: sip?.status ?? old.sip.status },
    };
    if (changed.sip.status === 'ENABLED' && !changed.sip.servers?.length) {
      throw new GraphError('invalid_parameter', 'Param calling.sip.servers: SIP needs a server');
    }
    this.#records.set(phoneNumberId, changed);
    if (changes.status !== undefined) this.#faults.lift('calling_off');
    if (sip !== undefined) this.#faults.lift('sip_on');
    return this.of(phoneNumberId);
  }

  #stored(phoneNumberId: string): Calling {
    const number = findNumber(this.#accounts, phoneNumberId);
    if (number === undefined) throw new GraphError('object_missing');
    return this.#records.get(phoneNumberId) ?? defaults(number.callingEnabled);
  }
}

/** Somebody has turned SIP on. */
const foreignSip: Calling['sip'] = {
  status: 'ENABLED',
  servers: [{ hostname: 'sip.elsewhere.invalid', port: 5061 }],
};

const restriction: Restriction = {
  type: 'RESTRICTED_BUSINESS_INITIATED_CALLING',
  reason: 'Calls of the business are disabled for a while, because users gave negative feedback.',
  expiration: Date.parse('2100-01-01T00:00:00Z') / 1000,
};

function defaults(callingEnabled: boolean): Calling {
  return {
    status: callingEnabled ? 'ENABLED' : 'DISABLED',
    call_icon_visibility: 'DEFAULT',
    callback_permission_status: 'DISABLED',
    srtp_key_exchange_protocol: 'DTLS',
    sip: { status: 'DISABLED' },
  };
}
