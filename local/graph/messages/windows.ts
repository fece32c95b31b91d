import { dayMs } from '#shared/base/time.ts';
import { type Chat, chatKey, type Platform } from '../core/platform.ts';
import type { Records } from '../core/records.ts';
import type { Sending } from './settings.ts';

/** The time in which a business may send a contact anything, in milliseconds since the epoch. */
export interface Window extends Chat {
  readonly closes_at: number;
  /** Until when every message is free, because the contact came from an ad or a page. */
  readonly free_until: number | null;
}

/** Of a free entry point. */
const freeMs = 3 * dayMs;

/** The 24 hours after a message or a call, by phone number and contact. */
export class Windows {
  readonly #records: Records<Window>;
  readonly #sending: Sending;
  readonly #now: () => number;

  constructor({ open, now }: Platform, sending: Sending) {
    this.#records = open('windows');
    this.#sending = sending;
    this.#now = now;
  }

  all(): Window[] {
    return [...this.#records.values()];
  }

  isOpen(chat: Chat): boolean {
    const window = this.#records.get(chatKey(chat));
    return window === undefined ? this.#isOpenByDefault() : window.closes_at > this.#now();
  }

  /** Until when everything is free. Undefined if it is not free now. */
  freeUntil(chat: Chat): number | undefined {
    const until = this.#records.get(chatKey(chat))?.free_until ?? 0;
    return until > this.#now() ? until : undefined;
  }

  /** Opens the window for 24 hours, unless it is open anyway. */
  contactActed({ phone_number_id, contact }: Chat): void {
    const window = this.#records.get(chatKey({ phone_number_id, contact }));
    if (window === undefined && this.#isOpenByDefault()) return;
    this.#save({ phone_number_id, contact, closes_at: this.#now() + dayMs, free_until: window?.free_until ?? null });
  }

  set(chat: Chat, { open, free }: { readonly open: boolean; readonly free: boolean }): Window {
    const closes_at = this.#now() + (open ? dayMs : 0);
    return this.#save({ ...chat, closes_at, free_until: free ? this.#now() + freeMs : null });
  }

  #isOpenByDefault(): boolean {
    return this.#sending.settings.windows === 'open';
  }

  #save(window: Window): Window {
    this.#records.set(chatKey(window), window);
    return window;
  }
}
