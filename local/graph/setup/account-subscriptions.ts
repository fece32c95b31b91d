import type { Records } from '../core/records.ts';
import type { SetupFaults } from '../core/setup-faults.ts';
import { elsewhere } from './callbacks.ts';

/** Whether the app gets the events of an account, and where they go in place of the app's callback. */
export interface AccountSubscription {
  readonly subscribed: boolean;
  readonly override: string | null;
}

const seeded: AccountSubscription = { subscribed: true, override: null };

/** The subscriptions of the app to accounts, by `waba_id`. It is subscribed to all from the start. */
export class AccountSubscriptions {
  readonly #records: Records<AccountSubscription>;
  readonly #faults: SetupFaults;

  constructor(records: Records<AccountSubscription>, faults: SetupFaults) {
    this.#records = records;
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

  unsubscribe(wabaId: string): void {
    this.#records.set(wabaId, { subscribed: false, override: null });
  }
}
