import { accountName, type BusinessAccount, simulatedApp } from '../core/accounts.ts';
import type { Platform } from '../core/platform.ts';
import type { Records } from '../core/records.ts';
import type { SetupFault, SetupFaults } from '../core/setup-faults.ts';
import { GraphError } from '../http/graph-errors.ts';
import type { GraphRequest, GraphRoute } from '../http/graph-route.ts';
import { type FieldReaders, graphNode, parseFields, unset } from '../http/node.ts';
import type { AppSubscription } from './app.ts';
import { elsewhere, type Handshake, readOverride } from './callbacks.ts';
import { healthStatus } from './health.ts';

/** Whether the app gets the events of an account, and where they go in place of the app's callback. */
interface AccountSubscription {
  readonly subscribed: boolean;
  readonly override: string | null;
}

const seeded: AccountSubscription = { subscribed: true, override: null };

/** The subscriptions of the app to accounts, by `waba_id`. It is subscribed to all from the start. */
export class AccountSubscriptions {
  readonly #records: Records<AccountSubscription>;
  readonly #faults: SetupFaults;

  constructor({ open, faults }: Platform) {
    this.#records = open('account-subscriptions');
    this.#faults = faults;
  }

  of(wabaId: string): AccountSubscription {
    const { subscribed, override } = this.#records.get(wabaId) ?? seeded;
    return {
      subscribed: subscribed && !this.#faults.has('app_not_subscribed'),
      override: this.#faults.has('account_callback_elsewhere') ? elsewhere.account : override,
    };
  }

  /** Without an override, an earlier one ends. */
  subscribe(wabaId: string, override: string | null): void {
    this.#records.set(wabaId, { subscribed: true, override });
    this.#faults.lift('app_not_subscribed', 'account_callback_elsewhere');
  }
}

/** What the fields of an account are read from. */
interface AccountSource {
  readonly id: string;
  readonly account: BusinessAccount;
  readonly faults: readonly SetupFault[];
}

/** The fields of an account (Meta's reference "WhatsApp Business Account"). */
const accountFields: FieldReaders<AccountSource> = {
  ...unset(
    'auth_international_rate_eligibility country creation_time currency disable_marketing_messages_on_cloud_api',
    'is_enabled_for_insights marketing_messages_lite_api_status marketing_messages_onboarding_status',
    'message_template_namespace ownership_type primary_business_location status',
    'whatsapp_business_manager_messaging_limit',
  ),
  timezone_id: () => '1',
  id: ({ id }) => id,
  name: ({ account }) => accountName(account),
  account_review_status: ({ faults }) => (faults.includes('account_review_rejected') ? 'REJECTED' : 'APPROVED'),
  business_verification_status: ({ faults }) =>
    faults.includes('business_not_verified') ? 'not_verified' : 'verified',
  health_status: ({ id, faults }) => healthStatus({ wabaId: id, faults }),
};

/** Graph's operations on accounts (Meta's references "WhatsApp Business Account" and "Subscribed apps"). */
export function accountRoutes(
  { accounts, faults }: Platform,
  app: AppSubscription,
  subscriptions: AccountSubscriptions,
  handshake: Handshake,
): GraphRoute[] {
  const takes = ({ id }: GraphRequest) => accounts.some(({ waba_id }) => waba_id === id);
  const edge = 'subscribed_apps';
  return [
    { operation: 'get_account', method: 'GET', takes, handle: getAccount },
    { operation: 'list_subscribed_apps', method: 'GET', edge, takes, handle: list },
    { operation: 'subscribe_to_account', method: 'POST', edge, takes, handle: subscribe },
  ];

  function getAccount({ id, url }: GraphRequest) {
    const account = accounts.find(({ waba_id }) => waba_id === id);
    if (account === undefined) throw new GraphError('object_missing');
    const fields = parseFields(url.searchParams.get('fields') ?? 'id,name');
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
}

/** Only an app that gets an account's messages already may send them elsewhere. */
export function assertOverridable(app: AppSubscription, subscriptions: AccountSubscriptions, wabaId: string): void {
  if (subscriptions.of(wabaId).subscribed && app.current()?.fields.includes('messages')) return;
  throw new GraphError(
    'invalid_parameter',
    'Before override the current callback uri, your app must be subscribed to receive messages for WhatsApp Business Account',
  );
}
