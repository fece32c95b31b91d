import type { JsonObject } from '#shared/base/json.ts';
import type { BusinessAccount } from './accounts.ts';
import type { ContactId } from './contacts.ts';
import type { Population } from './population.ts';
import type { Records } from './records.ts';
import type { SetupFaults } from './setup-faults.ts';

/** An element of `entry[].changes[]` in a webhook body, with the id of the entry. */
export interface Change {
  /** Almost always a business account. */
  readonly entryId: string;
  readonly field: string;
  readonly value: JsonObject;
}

/** What the parts of the simulated platform share. */
export interface Platform {
  readonly accounts: readonly BusinessAccount[];
  readonly population: Population;
  readonly faults: SetupFaults;
  /** Opens records by name. */
  readonly open: <V>(name: string) => Records<V>;
  /** Sends an event to the business. */
  readonly announce: (change: Change) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A contact of a phone number. */
export interface Chat {
  readonly phone_number_id: string;
  readonly contact: ContactId;
}

/** The key of what there is one of for each contact of a phone number. */
export function chatKey({ phone_number_id, contact }: Chat): string {
  return `${phone_number_id} ${contact}`;
}
