import { type BusinessAccount, findNumber, numbersOf } from '../core/accounts.ts';
import { GraphError } from '../core/graph-errors.ts';
import type { SetupFaults } from '../core/setup-faults.ts';
import { parseFields } from '../http/fields.ts';
import type { GraphRequest, GraphRoute } from '../http/graph-route.ts';
import { graphNode } from '../http/node.ts';
import { paginate } from '../http/paging.ts';
import { assertProduct, missing, objectParam, type Params, stringParam } from '../http/params.ts';
import type { CallingSettings } from '../settings/calling-settings.ts';
import { assertOverridable } from './account-routes.ts';
import type { AccountSubscriptions } from './account-subscriptions.ts';
import type { AppSubscription } from './app-subscription.ts';
import { type Handshake, readOverride } from './callbacks.ts';
import { defaultNumberFields, numberFields } from './number-node.ts';
import type { NumberSetup } from './number-setup.ts';

export interface NumberRoutesOptions {
  readonly accounts: readonly BusinessAccount[];
  readonly app: AppSubscription;
  readonly subscriptions: AccountSubscriptions;
  readonly numbers: NumberSetup;
  readonly callingSettings: CallingSettings;
  readonly handshake: Handshake;
  readonly faults: SetupFaults;
}

/** Graph's operations on numbers (Meta's pages "Business phone numbers", "Registration" and "Webhook overrides"). */
export function numberRoutes(options: NumberRoutesOptions): GraphRoute[] {
  const { accounts, app, subscriptions, numbers, callingSettings, handshake, faults } = options;
  const isAccount = ({ id }: GraphRequest) => accounts.some(({ waba_id }) => waba_id === id);
  const isNumber = ({ id }: GraphRequest) => findNumber(accounts, id) !== undefined;
  return [
    { operation: 'list_numbers', method: 'GET', edge: 'phone_numbers', takes: isAccount, handle: list },
    { operation: 'get_number', method: 'GET', takes: isNumber, handle: ({ id, url }) => nodeOf(id, url) },
    { operation: 'update_number', method: 'POST', takes: isNumber, handle: update },
    { operation: 'register_number', method: 'POST', edge: 'register', takes: isNumber, handle: register },
    { operation: 'deregister_number', method: 'POST', edge: 'deregister', takes: isNumber, handle: deregister },
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
    const fields = parseFields(url.searchParams.get('fields') ?? defaultNumberFields);
    return graphNode('WhatsAppBusinessPhoneNumber', numberFields, source, fields);
  }

  async function update({ id, params }: GraphRequest) {
    const configuration = objectParam(params, 'webhook_configuration');
    const hasPin = params.has('pin');
    if (configuration === undefined && !hasPin) throw missing('pin or webhook_configuration');
    const pin = hasPin ? pinIn(params) : undefined;
    if (configuration !== undefined) await override(id, configuration);
    if (pin !== undefined) numbers.setPin(id, pin);
    return { success: true };
  }

  async function override(id: string, configuration: Params) {
    if (!configuration.has('override_callback_uri')) throw missing('override_callback_uri');
    const callback = readOverride(configuration);
    if (callback !== undefined) {
      assertOverridable(app, subscriptions, findNumber(accounts, id)?.wabaId ?? '');
      await handshake(callback);
    }
    numbers.setOverride(id, callback?.url ?? null);
  }

  function register({ id, params }: GraphRequest) {
    assertProduct(params);
    numbers.register(id, pinIn(params));
    return { success: true };
  }

  function deregister({ id }: GraphRequest) {
    numbers.deregister(id);
    return { success: true };
  }
}

function pinIn(params: Params): string {
  const pin = stringParam(params, 'pin');
  if (pin === undefined) throw missing('pin');
  if (!/^\d{6}$/.test(pin)) throw new GraphError('invalid_parameter', 'Param pin must be a string of 6 digits');
  return pin;
}
