import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { findNumber } from '../core/accounts.ts';
import type { Platform } from '../core/platform.ts';
import type { Records } from '../core/records.ts';
import { buildEvent } from '../events/events.ts';
import { GraphError } from '../http/graph-errors.ts';
import type { GraphRequest, GraphRoute } from '../http/graph-route.ts';
import { missing } from '../http/params.ts';

const onOff = z.enum(['ENABLED', 'DISABLED']);
const timeZone = z.string().check(z.refine(isTimeZone, 'must be a time zone such as America/Manaus'));

/**
 * What a request may change of `calling` (Meta's pages "Configure Call Settings" and "Configure SIP", July 2026). Members
 * that are not named here pass.
 */
const changesSchema = z.looseObject({
  status: z.optional(onOff),
  call_icon_visibility: z.optional(z.enum(['DEFAULT', 'DISABLE_ALL'])),
  callback_permission_status: z.optional(onOff),
  call_hours: z.optional(
    z.looseObject({
      status: onOff,
      timezone_id: timeZone,
      weekly_operating_hours: z.array(
        z.looseObject({ day_of_week: z.string(), open_time: z.string(), close_time: z.string() }),
      ),
    }),
  ),
  sip: z.optional(
    z.looseObject({ status: z.optional(onOff), servers: z.optional(z.array(z.looseObject({ hostname: z.string() }))) }),
  ),
});

type CallingChanges = z.infer<typeof changesSchema>;

/** `calling` in the settings of a phone number. */
interface Calling extends CallingChanges {
  readonly status: 'ENABLED' | 'DISABLED';
  readonly sip: NonNullable<CallingChanges['sip']> & { readonly status: 'ENABLED' | 'DISABLED' };
}

/** The calling settings of the phone numbers. Until they are changed, the account says whether calling is on. */
export class CallingSettings {
  readonly #platform: Platform;
  readonly #records: Records<Calling>;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#records = platform.open('calling-settings');
  }

  /** Throws if no account has the phone number. */
  of(phoneNumberId: string): Calling {
    const { faults } = this.#platform;
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

  assertOn(phoneNumberId: string): void {
    if (!this.isOn(phoneNumberId)) throw new GraphError('calling_not_enabled');
  }

  /** Meta's page on SIP excludes the operations on calls. It says nothing of permissions, which can be read here. */
  assertSignalsOverGraph(phoneNumberId: string): void {
    this.assertOn(phoneNumberId);
    if (this.usesSip(phoneNumberId)) throw new GraphError('calling_over_sip');
  }

  /** Changes the members that are there. Each replaces the old one as a whole, except for `sip`. */
  change(phoneNumberId: string, { sip, ...changes }: CallingChanges): Calling {
    const { faults } = this.#platform;
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
    if (changes.status !== undefined) faults.lift('calling_off');
    if (sip !== undefined) faults.lift('sip_on');
    return this.of(phoneNumberId);
  }

  #stored(phoneNumberId: string): Calling {
    const number = findNumber(this.#platform.accounts, phoneNumberId);
    if (number === undefined) throw new GraphError('object_missing');
    return this.#records.get(phoneNumberId) ?? defaults(number.callingEnabled);
  }
}

/** Graph's operations on the settings of phone numbers (Meta's page "Configure Call Settings"). */
export function settingsRoutes({ accounts, announce, now }: Platform, settings: CallingSettings): GraphRoute[] {
  return [
    {
      operation: 'get_settings',
      method: 'GET',
      edge: 'settings',
      handle: ({ id }) => ({ calling: settings.of(id), storage_configuration: { status: 'DEFAULT' } }),
    },
    { operation: 'update_settings', method: 'POST', edge: 'settings', handle: change },
  ];

  function change({ id, params }: GraphRequest) {
    const number = findNumber(accounts, id);
    if (number === undefined) throw new GraphError('object_missing');
    if (!params.has('calling')) throw missing('calling');
    const old = settings.of(id);
    const calling = settings.change(id, readChanges(params.get('calling')));
    if (!isDeepStrictEqual(old, calling)) {
      const phone_number_settings = { phone_number_id: id, calling };
      announce(buildEvent({ type: 'account_settings_update', phone_number_settings }, number, now()));
    }
    return { success: true };
  }
}

/** Throws Graph's "Invalid parameter", which names the first member that is wrong. */
function readChanges(value: unknown): CallingChanges {
  const { data, error } = z.safeParse(changesSchema, value);
  if (data !== undefined) return data;
  const [issue] = error?.issues ?? [];
  const path = ['calling', ...(issue?.path ?? [])].map(String).join('.');
  throw new GraphError('invalid_parameter', `Param ${path}: ${issue?.message ?? 'is not valid'}`);
}

/** Somebody has turned SIP on. */
const foreignSip: Calling['sip'] = {
  status: 'ENABLED',
  servers: [{ hostname: 'sip.elsewhere.invalid', port: 5061 }],
};

/** What Meta forbids after bad feedback. `expiration` is in seconds since the epoch. */
const restriction = {
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

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
