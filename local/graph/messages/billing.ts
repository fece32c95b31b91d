import { createHash } from 'node:crypto';
import type { Platform } from '../core/platform.ts';
import type { Records } from '../core/records.ts';
import type { Bill, SentMessage } from './message.ts';
import type { Sending } from './settings.ts';
import type { Windows } from './windows.ts';

/**
 * The prices since October 2026. Source: Meta's pages "Pricing" and "Upcoming pricing updates for service and utility
 * messages".
 */
export class Billing {
  /** The free service messages that a number has used in a month. */
  readonly #used: Records<number>;
  readonly #windows: Windows;
  readonly #sending: Sending;
  readonly #now: () => number;

  constructor({ open, now }: Platform, windows: Windows, sending: Sending) {
    this.#used = open('free-messages');
    this.#windows = windows;
    this.#sending = sending;
    this.#now = now;
  }

  /** Prices a message. A free service message counts, so each message is priced once. */
  billFor(message: SentMessage): Bill {
    const { phone_number_id, recipient_type, type } = message;
    const freeUntil = this.#windows.freeUntil(message);
    if (freeUntil !== undefined) return entryPointBill(message, freeUntil);
    const isGroup = recipient_type === 'group';
    const category = (name: string) => (isGroup ? `group_${name}` : name);
    if (type === 'template') return bill(true, 'regular', category(message.category ?? 'utility'));
    if (message.category !== null) return bill(true, 'regular', message.category);
    if (!this.#takeFree(phone_number_id)) return bill(true, 'regular', category('service'));
    return bill(false, isGroup ? 'free_group_customer_service' : 'free_customer_service', category('service'));
  }

  /** Groups and people share what is free. Meta's month begins in the time zone of the account, here in UTC. */
  #takeFree(phoneNumberId: string): boolean {
    const key = `${phoneNumberId} ${new Date(this.#now()).toISOString().slice(0, 7)}`;
    const count = this.#used.get(key) ?? 0;
    if (count >= this.#sending.settings.free_service_messages) return false;
    this.#used.set(key, count + 1);
    return true;
  }
}

function bill(billable: boolean, type: Bill['pricing']['type'], category: string): Bill {
  return { pricing: { billable, pricing_model: 'PMP', type, category }, conversation: null };
}

function entryPointBill({ phone_number_id, contact }: SentMessage, freeUntil: number): Bill {
  const id = createHash('sha256').update(`${phone_number_id} ${contact} ${freeUntil}`).digest('hex').slice(0, 32);
  const expiration_timestamp = String(Math.floor(freeUntil / 1000));
  const { pricing } = bill(false, 'free_entry_point', 'referral_conversion');
  return { pricing, conversation: { id, expiration_timestamp, origin: { type: 'referral_conversion' } } };
}
