import type { BusinessAccount } from '../core/accounts.ts';
import type { Records } from '../core/records.ts';
import { SetupFaults } from '../core/setup-faults.ts';
import type { Watch } from '../core/watch.ts';
import { knownFields } from '../events/events.ts';
import type { WebhookSender } from '../events/webhook-sender.ts';
import { type GraphRoute, permitted } from '../http/graph-route.ts';
import type { CallingSettings } from '../settings/calling-settings.ts';
import { accountRoutes } from './account-routes.ts';
import { type AccountSubscription, AccountSubscriptions } from './account-subscriptions.ts';
import { appRoutes } from './app-routes.ts';
import { AppSubscription, type StoredSubscription } from './app-subscription.ts';
import { handshakeOf } from './callbacks.ts';
import { numberRoutes } from './number-routes.ts';
import { NumberSetup, type NumberState } from './number-setup.ts';
import { Routing } from './routing.ts';
import { Tokens } from './tokens.ts';

export interface SetupOptions {
  readonly accounts: readonly BusinessAccount[];
  readonly accessToken: string;
  readonly appSecret: string;
  /** Where the app's events go from the start, without a handshake. */
  readonly callbackUrl?: string | undefined;
  /** Opens records by name. */
  readonly open: <V>(name: string) => Records<V>;
  readonly now: () => number;
  readonly watch?: Watch | undefined;
}

export type Setup = ReturnType<typeof openSetup>;

/** How the app, its token and the numbers are set up. From the start, everything is connected and registered. */
export function openSetup(options: SetupOptions) {
  const { accounts, callbackUrl, open, now, watch } = options;
  const faults = new SetupFaults((on) => watch?.('setup', 'faults', { faults: on }));
  const seeded = callbackUrl === undefined ? null : { callback_url: callbackUrl, fields: [...knownFields] };
  const app = new AppSubscription(open<StoredSubscription>('app-subscription'), seeded, faults);
  const subscriptions = new AccountSubscriptions(open<AccountSubscription>('account-subscriptions'), faults);
  const numbers = new NumberSetup(open<NumberState>('number-setup'), faults, now);
  const tokens = new Tokens({ ...options, faults });
  return {
    faults,
    app,
    subscriptions,
    numbers,
    tokens,
    routing: new Routing({ accounts, app, subscriptions, numbers }),
  };
}

/** Graph's operations on the set-up. */
export function setupRoutes(
  { tokens, ...setup }: Setup,
  context: {
    readonly accounts: readonly BusinessAccount[];
    readonly callingSettings: CallingSettings;
    readonly sender: WebhookSender;
  },
): GraphRoute[] {
  const options = { ...setup, ...context, handshake: handshakeOf(context.sender) };
  return [
    ...appRoutes({ ...options, tokens }),
    ...permitted('whatsapp_business_management', [...accountRoutes(options), ...numberRoutes(options)]),
  ];
}
