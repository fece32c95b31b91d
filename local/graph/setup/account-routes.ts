import type { BusinessAccount } from '../core/accounts.ts';
import { simulatedApp } from '../core/app.ts';
import { GraphError } from '../core/graph-errors.ts';
import type { SetupFaults } from '../core/setup-faults.ts';
import { parseFields } from '../http/fields.ts';
import type { GraphRequest, GraphRoute } from '../http/graph-route.ts';
import { graphNode } from '../http/node.ts';
import { accountFields, defaultAccountFields } from './account-node.ts';
import type { AccountSubscriptions } from './account-subscriptions.ts';
import type { AppSubscription } from './app-subscription.ts';
import { type Handshake, readOverride } from './callbacks.ts';

export interface AccountRoutesOptions {
  readonly accounts: readonly BusinessAccount[];
  readonly app: AppSubscription;
  readonly subscriptions: AccountSubscriptions;
  readonly handshake: Handshake;
  readonly faults: SetupFaults;
}

/** Graph's operations on accounts (Meta's references "WhatsApp Business Account" and "Subscribed apps"). */
export function accountRoutes({ accounts, app, subscriptions, handshake, faults }: AccountRoutesOptions): GraphRoute[] {
  const takes = ({ id }: GraphRequest) => accounts.some(({ waba_id }) => waba_id === id);
  const edge = 'subscribed_apps';
  return [
    { operation: 'get_account', method: 'GET', takes, handle: getAccount },
    { operation: 'list_subscribed_apps', method: 'GET', edge, takes, handle: list },
    { operation: 'subscribe_to_account', method: 'POST', edge, takes, handle: subscribe },
    { operation: 'unsubscribe_from_account', method: 'DELETE', edge, takes, handle: unsubscribe },
  ];

  function getAccount({ id, url }: GraphRequest) {
    const account = accounts.find(({ waba_id }) => waba_id === id);
    if (account === undefined) throw new GraphError('object_missing');
    const fields = parseFields(url.searchParams.get('fields') ?? defaultAccountFields);
    return graphNode('WhatsAppBusinessAccount', accountFields, { id, account, faults: faults.all }, fields);
  }

  function list({ id }: GraphRequest) {
    const { subscribed, override } = subscriptions.of(id);
    if (!subscribed) return { data: [] };
    const { name, link } = simulatedApp;
    const whatsapp_business_api_data = { link, name, id: simulatedApp.id };
    return { data: [{ whatsapp_business_api_data, ...(override !== null && { override_callback_uri: override }) }] };
  }

  async function subscribe({ id, params }: GraphRequest) {
    const override = readOverride(params);
    if (override !== undefined) {
      assertOverridable(app, subscriptions, id);
      await handshake(override);
    }
    subscriptions.subscribe(id, override?.url ?? null);
    return { success: true };
  }

  function unsubscribe({ id }: GraphRequest) {
    subscriptions.unsubscribe(id);
    return { success: true };
  }
}

/** Only an app that gets an account's messages already may send them elsewhere. */
export function assertOverridable(app: AppSubscription, subscriptions: AccountSubscriptions, wabaId: string): void {
  if (subscriptions.of(wabaId).subscribed && app.current()?.fields.includes('messages')) return;
  throw new GraphError(
    'invalid_parameter',
    'Before override the current callback uri, your app must be subscribed to receive messages for WhatsApp Business Account',
  );
}
