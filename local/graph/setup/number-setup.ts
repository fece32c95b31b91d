import { accountName, type BusinessAccount, type BusinessNumber, findNumber, numbersOf } from '../core/accounts.ts';
import type { Platform } from '../core/platform.ts';
import type { Records } from '../core/records.ts';
import type { SetupFault, SetupFaults } from '../core/setup-faults.ts';
import { GraphError } from '../http/graph-errors.ts';
import type { GraphRequest, GraphRoute } from '../http/graph-route.ts';
import { type FieldReaders, graphNode, parseFields, unset } from '../http/node.ts';
import { paginate } from '../http/paging.ts';
import { assertProduct, missing, objectParam, stringParam } from '../http/params.ts';
import type { CallingSettings } from '../settings/calling-settings.ts';
import { type AccountSubscriptions, assertOverridable } from './account.ts';
import type { AppSubscription } from './app.ts';
import { elsewhere, type Handshake, readOverride } from './callbacks.ts';
import { healthStatus } from './health.ts';

/** How a number is set up. */
interface NumberState {
  readonly registered: boolean;
  /** Of the two-step verification. */
  readonly pin: string;
  readonly override: string | null;
}

/** The PIN of the numbers that are registered from the start. */
export const seededPin = '123456';

const seeded: NumberState = { registered: true, pin: seededPin, override: null };

/** Registration, PIN and callback of the numbers, by their ids. */
export class NumberSetup {
  readonly #records: Records<NumberState>;
  readonly #faults: SetupFaults;

  constructor({ open, faults }: Platform) {
    this.#records = open('number-setup');
    this.#faults = faults;
  }

  of(id: string): NumberState {
    const stored = this.#records.get(id) ?? seeded;
    return {
      ...stored,
      registered: stored.registered && !this.#faults.has('number_not_registered'),
      override: this.#faults.has('number_callback_elsewhere') ? elsewhere.number : stored.override,
    };
  }

  /** Throws if the PIN is not the number's own. */
  register(id: string, pin: string): void {
    if (this.#faults.has('number_not_verified')) throw new GraphError('number_not_verified');
    const stored = this.#records.get(id) ?? seeded;
    if (stored.pin !== pin) throw new GraphError('pin_mismatch');
    this.#records.set(id, { ...stored, registered: true });
    this.#faults.lift('number_not_registered');
  }

  setOverride(id: string, override: string | null): void {
    this.#records.set(id, { ...(this.#records.get(id) ?? seeded), override });
    this.#faults.lift('number_callback_elsewhere');
  }

  /** Throws unless the number can send and call. */
  assertRegistered(id: string): void {
    if (!this.of(id).registered) throw new GraphError('sender_not_registered');
  }
}

/** What the fields of a number are read from. */
interface NumberSource {
  readonly id: string;
  readonly account: BusinessAccount;
  readonly number: BusinessNumber;
  readonly state: NumberState;
  readonly usesSip: boolean;
  readonly callbacks: { readonly application: string | undefined; readonly account: string | null };
  readonly faults: readonly SetupFault[];
}

/** The first fault that is switched on decides. */
function firstOf(
  faults: readonly SetupFault[],
  values: Partial<Record<SetupFault, string>>,
  otherwise: string,
): string {
  return Object.entries(values).find(([fault]) => faults.includes(fault as SetupFault))?.[1] ?? otherwise;
}

/** The fields of a number (Meta's reference "WhatsApp Business Phone Number"). */
const numberFields: FieldReaders<NumberSource> = {
  ...unset(
    'conversational_automation country_code country_dial_code eligibility_for_api_business_global_search',
    'is_official_business_account is_on_biz_app is_preverified_number last_onboarded_time messaging_limit_tier',
    'new_name_status quality_score search_visibility username whatsapp_business_manager_messaging_limit',
  ),
  throughput: () => ({ level: 'STANDARD' }),
  id: ({ id }) => id,
  display_phone_number: ({ number }) => number.displayPhoneNumber,
  verified_name: ({ account }) => accountName(account),
  status: ({ state, faults }) =>
    state.registered
      ? firstOf(faults, { number_restricted: 'RESTRICTED', number_flagged: 'FLAGGED' }, 'CONNECTED')
      : 'DISCONNECTED',
  quality_rating: ({ faults }) => firstOf(faults, { quality_red: 'RED', quality_yellow: 'YELLOW' }, 'GREEN'),
  code_verification_status: ({ faults }) => firstOf(faults, { number_not_verified: 'NOT_VERIFIED' }, 'VERIFIED'),
  name_status: ({ faults }) => firstOf(faults, { display_name_declined: 'DECLINED' }, 'APPROVED'),
  platform_type: ({ state }) => (state.registered ? 'CLOUD_API' : 'NOT_APPLICABLE'),
  account_mode: () => 'LIVE',
  is_pin_enabled: () => true,
  webhook_configuration: ({ state, callbacks }) => ({
    ...(state.override !== null && { phone_number: state.override }),
    ...(callbacks.account !== null && { whatsapp_business_account: callbacks.account }),
    ...(callbacks.application !== undefined && { application: callbacks.application }),
  }),
  health_status: ({ id, number, state, usesSip, faults }) =>
    healthStatus({
      wabaId: number.wabaId,
      number: { id, usesSip },
      faults: state.registered ? faults : [...faults, 'number_not_registered'],
    }),
};

/** The fields of a number when the request names none. */
const defaultFields = 'id,verified_name,display_phone_number,code_verification_status,quality_rating,platform_type';

export interface NumberRoutesOptions {
  readonly platform: Platform;
  readonly app: AppSubscription;
  readonly subscriptions: AccountSubscriptions;
  readonly numbers: NumberSetup;
  readonly callingSettings: CallingSettings;
  readonly handshake: Handshake;
}

/** Graph's operations on numbers (Meta's pages "Business phone numbers", "Registration" and "Webhook overrides"). */
export function numberRoutes(options: NumberRoutesOptions): GraphRoute[] {
  const { platform, app, subscriptions, numbers, callingSettings, handshake } = options;
  const { accounts, faults } = platform;
  const isAccount = ({ id }: GraphRequest) => accounts.some(({ waba_id }) => waba_id === id);
  const isNumber = ({ id }: GraphRequest) => findNumber(accounts, id) !== undefined;
  return [
    { operation: 'list_numbers', method: 'GET', edge: 'phone_numbers', takes: isAccount, handle: list },
    { operation: 'get_number', method: 'GET', takes: isNumber, handle: ({ id, url }) => nodeOf(id, url) },
    { operation: 'update_number', method: 'POST', takes: isNumber, handle: update },
    { operation: 'register_number', method: 'POST', edge: 'register', takes: isNumber, handle: register },
  ];

  function list({ id: wabaId, url }: GraphRequest) {
    const ids = numbersOf(accounts).flatMap((number) => (number.wabaId === wabaId ? number.phoneNumberId : []));
    const newestFirst = ids.map((id) => ({ id })).sort((a, b) => Number(b.id) - Number(a.id));
    const { data, ...rest } = paginate(newestFirst, url);
    return { data: data.map(({ id }) => nodeOf(id, url)), ...rest };
  }

  function nodeOf(id: string, url: URL) {
    const number = findNumber(accounts, id);
    const account = accounts.find(({ waba_id }) => waba_id === number?.wabaId);
    if (number === undefined || account === undefined) throw new GraphError('object_missing');
    const source = {
      id,
      account,
      number,
      state: numbers.of(id),
      usesSip: callingSettings.usesSip(id),
      callbacks: {
        application: app.current()?.callback_url,
        account: subscriptions.of(number.wabaId).override,
      },
      faults: faults.all,
    };
    const fields = parseFields(url.searchParams.get('fields') ?? defaultFields);
    return graphNode('WhatsAppBusinessPhoneNumber', numberFields, source, fields);
  }

  async function update({ id, params }: GraphRequest) {
    const configuration = objectParam(params, 'webhook_configuration');
    if (!configuration?.has('override_callback_uri')) throw missing('webhook_configuration.override_callback_uri');
    const callback = readOverride(configuration);
    if (callback !== undefined) {
      assertOverridable(app, subscriptions, findNumber(accounts, id)?.wabaId ?? '');
      await handshake(callback);
    }
    numbers.setOverride(id, callback?.url ?? null);
    return { success: true };
  }

  function register({ id, params }: GraphRequest) {
    assertProduct(params);
    const pin = stringParam(params, 'pin');
    if (pin === undefined) throw missing('pin');
    if (!/^\d{6}$/.test(pin)) throw new GraphError('invalid_parameter', 'Param pin must be a string of 6 digits');
    numbers.register(id, pin);
    return { success: true };
  }
}
