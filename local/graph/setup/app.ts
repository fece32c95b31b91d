import { simulatedApp } from '../core/accounts.ts';
import type { Platform } from '../core/platform.ts';
import type { Records } from '../core/records.ts';
import type { SetupFault, SetupFaults } from '../core/setup-faults.ts';
import { knownFields } from '../events/events.ts';
import { GraphError } from '../http/graph-errors.ts';
import type { AuthorizedRequest, GraphRequest, GraphRoute } from '../http/graph-route.ts';
import { graphNode, parseFields } from '../http/node.ts';
import { missing, type Params, stringListParam, stringParam } from '../http/params.ts';
import { elsewhere, type Handshake, readCallback } from './callbacks.ts';
import type { Tokens } from './tokens.ts';

/** Which events of business accounts an app wants, and where they go. */
export interface Subscription {
  readonly callback_url: string;
  readonly fields: readonly string[];
}

/** The only object of webhooks that the simulated platform has. */
const subscribedObject = 'whatsapp_business_account';

const missingFields: Readonly<Record<string, SetupFault>> = {
  messages: 'messages_field_missing',
  calls: 'calls_field_missing',
  flows: 'flows_field_missing',
};

/** The subscription of the app to the events of business accounts. */
export class AppSubscription {
  readonly #records: Records<Subscription>;
  readonly #seeded: Subscription | null;
  readonly #faults: SetupFaults;

  /** @param callbackUrl where the app's events go from the start, without a handshake */
  constructor({ open, faults }: Platform, callbackUrl: string | undefined) {
    this.#records = open('app-subscription');
    this.#seeded = callbackUrl === undefined ? null : { callback_url: callbackUrl, fields: [...knownFields] };
    this.#faults = faults;
  }

  current(): Subscription | null {
    const stored = this.#records.get(subscribedObject) ?? this.#seeded;
    if (stored === null || this.#faults.has('app_callback_missing')) return null;
    return {
      callback_url: this.#faults.has('app_callback_elsewhere') ? elsewhere.app : stored.callback_url,
      fields: stored.fields.filter((field) => !faultsOf([field]).some((fault) => this.#faults.has(fault))),
    };
  }

  set(subscription: Subscription): void {
    this.#records.set(subscribedObject, subscription);
    this.#faults.lift('app_callback_missing', 'app_callback_elsewhere', ...faultsOf(subscription.fields));
  }
}

function faultsOf(fields: readonly string[]): SetupFault[] {
  return fields.flatMap((field) => missingFields[field] ?? []);
}

const fieldVersion = 'v25.0';

/** Graph's operations on tokens and apps (its pages "Debug token", "Application" and "App subscriptions"). */
export function appRoutes(tokens: Tokens, app: AppSubscription, handshake: Handshake): GraphRoute[] {
  const isApp = ({ id }: GraphRequest) => id === 'app' || id === simulatedApp.id;
  const subscriptions = { edge: 'subscriptions', token: 'app', takes: isApp } as const;
  return [
    {
      operation: 'debug_token',
      method: 'GET',
      token: 'any',
      takes: ({ id }) => id === 'debug_token',
      handle: debugToken,
    },
    { operation: 'get_app', method: 'GET', token: 'any', takes: isApp, handle: getApp },
    { operation: 'list_subscriptions', method: 'GET', ...subscriptions, handle: list },
    { operation: 'subscribe_app', method: 'POST', ...subscriptions, handle: subscribe },
  ];

  function debugToken({ url, viewer }: AuthorizedRequest) {
    const inputToken = url.searchParams.get('input_token');
    if (inputToken === null) throw missing('input_token');
    return { data: tokens.inspect(inputToken, viewer) };
  }

  function getApp({ url, viewer }: AuthorizedRequest) {
    const node = { ...simulatedApp, ...tokens.appOf(viewer) };
    const readers = { id: () => node.id, name: () => node.name, link: () => node.link, category: () => node.category };
    const fields = parseFields(url.searchParams.get('fields') ?? 'category,link,name,id');
    return graphNode('Application', readers, node, fields);
  }

  function list() {
    const subscription = app.current();
    if (subscription === null) return { data: [] };
    const { callback_url, fields } = subscription;
    const named = fields.map((name) => ({ name, version: fieldVersion }));
    return { data: [{ object: subscribedObject, callback_url, active: true, fields: named }] };
  }

  async function subscribe({ params }: GraphRequest) {
    if (stringParam(params, 'object') !== subscribedObject) {
      throw new GraphError('invalid_parameter', `Param object must be one of {${subscribedObject}}`);
    }
    const fields = fieldsIn(params);
    const callback = readCallback(params);
    await handshake(callback);
    app.set({ callback_url: callback.url, fields });
    return { success: true };
  }
}

/** Graph takes the fields as an array, or as names with commas between them. */
function fieldsIn(params: Params): readonly string[] {
  const value = params.get('fields');
  const isList = typeof value === 'string' && !value.trim().startsWith('[');
  const fields = isList ? value.split(',').map((name) => name.trim()) : stringListParam(params, 'fields');
  if (fields === undefined) throw missing('fields');
  const unknown = fields.find((name) => !knownFields.has(name));
  if (unknown === undefined) return [...new Set(fields)];
  throw new GraphError('invalid_parameter', `Param fields: ${JSON.stringify(unknown)} is not a field of the object`);
}
