import { dayMs } from '#shared/base/time/duration.ts';
import type { ContactId } from '../core/contacts.ts';
import type { Records } from '../core/records.ts';

/** The time in which a business may send a contact anything, in milliseconds since the epoch. */
export interface Window {
  readonly phone_number_id: string;
  readonly contact: ContactId;
  readonly closes_at: number;
  /** Until when every message is free, because the contact came from an ad or a page. */
  readonly free_until: number | null;
}

/** Of a free entry point. */
const freeMs = 3 * dayMs;

/** The 24 hours after a message or a call, by phone number and contact. */
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

  /** Until when everything is free. Undefined if it is not free now. */
  freeUntil(phoneNumberId: string, contact: ContactId): number | undefined {
    const until = this.#records.get(keyOf(phoneNumberId, contact))?.free_until ?? 0;
    return until > this.#now() ? until : undefined;
  }

  /** Opens the window for 24 hours, unless it is open anyway. */
  contactActed({ phone_number_id, contact }: Acted, general: 'open' | 'closed'): void {
    const window = this.#records.get(keyOf(phone_number_id, contact));
    if (window === undefined && general === 'open') return;
    this.#save({ phone_number_id, contact, closes_at: this.#now() + dayMs, free_until: window?.free_until ?? null });
  }

  set({ phone_number_id, contact }: Acted, { open, free }: { readonly open: boolean; readonly free: boolean }): Window {
    const closes_at = this.#now() + (open ? dayMs : 0);
    return this.#save({ phone_number_id, contact, closes_at, free_until: free ? this.#now() + freeMs : null });
  }

  #save(window: Window): Window {
    this.#records.set(keyOf(window.phone_number_id, window.contact), window);
    return window;
  }
}

type Acted = Pick<Window, 'phone_number_id' | 'contact'>;

function keyOf(phoneNumberId: string, contact: ContactId): string {
  return `${phoneNumberId} ${contact}`;
}
