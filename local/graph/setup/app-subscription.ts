import type { Records } from '../core/records.ts';
import type { SetupFault, SetupFaults } from '../core/setup-faults.ts';
import { knownFields } from '../events/events.ts';
import { elsewhere } from './callbacks.ts';

/** Which events of business accounts an app wants, and where they go. */
export interface Subscription {
  readonly callback_url: string;
  readonly fields: readonly string[];
}

/** Null once it was deleted. */
export type StoredSubscription = Subscription | null;

/** The only object of webhooks that the simulated platform has. */
export const subscribedObject = 'whatsapp_business_account';

const missingFields: Readonly<Record<string, SetupFault>> = {
  messages: 'messages_field_missing',
  calls: 'calls_field_missing',
  flows: 'flows_field_missing',
};

/** The subscription of the app to the events of business accounts. */
export class AppSubscription {
  readonly #records: Records<StoredSubscription>;
  readonly #seeded: StoredSubscription;
  readonly #faults: SetupFaults;

  constructor(records: Records<StoredSubscription>, seeded: StoredSubscription, faults: SetupFaults) {
    this.#records = records;
    this.#seeded = seeded;
    this.#faults = faults;
  }

  current(): StoredSubscription {
    const stored = this.#stored();
    if (stored === null || this.#faults.has('app_callback_missing')) return null;
    return {
      callback_url: this.#faults.has('app_callback_elsewhere') ? elsewhere.app : stored.callback_url,
      fields: stored.fields.filter((field) => !this.#lacks(field)),
    };
  }

  set(subscription: Subscription): void {
    this.#records.set(subscribedObject, subscription);
    this.#faults.lift('app_callback_missing', 'app_callback_elsewhere', ...faultsOf(subscription.fields));
  }

  /** Sends the events elsewhere. An app without a subscription then gets all fields. */
  moveTo(callback_url: string): void {
    this.set({ callback_url, fields: this.#stored()?.fields ?? [...knownFields] });
  }

  /** Removes these fields, or the whole subscription. */
  remove(fields?: readonly string[]): void {
    const stored = this.#stored();
    const left = stored?.fields.filter((field) => !fields?.includes(field)) ?? [];
    this.#records.set(subscribedObject, stored && fields && left.length > 0 ? { ...stored, fields: left } : null);
  }

  #stored(): StoredSubscription {
    const stored = this.#records.get(subscribedObject);
    return stored === undefined ? this.#seeded : stored;
  }

  #lacks(field: string): boolean {
    return faultsOf([field]).some((fault) => this.#faults.has(fault));
  }
}

function faultsOf(fields: readonly string[]): SetupFault[] {
  return fields.flatMap((field) => missingFields[field] ?? []);
}
