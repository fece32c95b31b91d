import { dayMs } from '#shared/base/time/duration.ts';
import type { ContactId } from '../core/contacts.ts';
import type { Records } from '../core/records.ts';

/** The time in which a business may send a contact anything, in milliseconds since the epoch. */
export interface Window {
  readonly phone_number_id: string;
  readonly contact: ContactId;
  readonly closes_at: number;
}

/** The 24 hours after a message from a contact, by phone number. */
export class Windows {
  readonly #records: Records<Window>;
  readonly #now: () => number;

  constructor(records: Records<Window>, now: () => number) {
    this.#records = records;
    this.#now = now;
  }

  all(): Window[] {
    return [...this.#records.values()];
  }

  /** `general` is the default for contacts without a window of their own. */
  isOpen(phoneNumberId: string, contact: ContactId, general: 'open' | 'closed'): boolean {
    const window = this.#records.get(keyOf(phoneNumberId, contact));
    return window === undefined ? general === 'open' : window.closes_at > this.#now();
  }

  /** Opens the window for 24 hours, unless it is open anyway. */
  contactWrote(message: Pick<Window, 'phone_number_id' | 'contact'>, general: 'open' | 'closed'): void {
    const { phone_number_id, contact } = message;
    const isSet = this.#records.get(keyOf(phone_number_id, contact)) !== undefined;
    if (isSet || general === 'closed') this.set(phone_number_id, contact, true);
  }

  set(phone_number_id: string, contact: ContactId, open: boolean): Window {
    const window = { phone_number_id, contact, closes_at: this.#now() + (open ? dayMs : 0) };
    this.#records.set(keyOf(phone_number_id, contact), window);
    return window;
  }
}

function keyOf(phoneNumberId: string, contact: ContactId): string {
  return `${phoneNumberId} ${contact}`;
}
