import { type BusinessAccount, findNumber } from '../core/accounts.ts';
import { type ContactId, phoneDigits } from '../core/contacts.ts';
import type { Population } from '../core/population.ts';
import type { Records } from '../core/records.ts';
import { buildEvent, type Change } from '../events/events.ts';
import type { Call } from './calls.ts';
import { type CallPermission, firstSeen, granted, withConnectedCall, withUnansweredCall } from './permissions.ts';

export interface CallPermissionStoreOptions {
  readonly accounts: readonly BusinessAccount[];
  readonly population: Population;
  readonly records: Records<CallPermission>;
  readonly announce: (change: Change) => void;
  readonly now: () => number;
}

/** The id of a request that was not a message of the business. */
const sampleRequest = 'wamid.HBgLNTUwMTAwMDAxFQIAERgS';

/** The call permissions of contacts, by phone number. */
export class CallPermissionStore {
  readonly #options: CallPermissionStoreOptions;

  constructor(options: CallPermissionStoreOptions) {
    this.#options = options;
  }

  all(): CallPermission[] {
    return [...this.#options.records.values()];
  }

  of(phoneNumberId: string, contact: ContactId): CallPermission {
    const { records, now } = this.#options;
    return records.get(keyOf(phoneNumberId, contact)) ?? this.save(firstSeen(phoneNumberId, contact, now()));
  }

  save(permission: CallPermission): CallPermission {
    this.#options.records.set(keyOf(permission.phone_number_id, permission.contact), permission);
    return permission;
  }

  /** A call by the business was answered. */
  countConnected(phoneNumberId: string, contact: ContactId): void {
    this.save(withConnectedCall(this.of(phoneNumberId, contact), this.#options.now()));
  }

  /** A call by the business was not answered. This may revoke the permission. */
  countUnanswered(phoneNumberId: string, contact: ContactId): void {
    const before = this.of(phoneNumberId, contact);
    const after = this.save(withUnansweredCall(before));
    if (before.status !== after.status) this.announceReply(after, 'automatic');
  }

  /** A contact calls, which permits calls of the business. */
  grantByCall({ id, phone_number_id, contact }: Pick<Call, 'id' | 'phone_number_id' | 'contact'>): void {
    const permission = this.of(phone_number_id, contact);
    if (permission.status === 'permanent') return;
    const isPermanent = false;
    this.announceReply(this.save(granted(permission, isPermanent, this.#options.now())), 'automatic', id);
  }

  /** Announces the new permission as a message from the contact. `cause` is the message or the call that led to it. */
  announceReply(permission: CallPermission, response_source: 'user_action' | 'automatic', cause?: string): void {
    const { accounts, population, announce, now } = this.#options;
    const { phone_number_id, contact, status, expires_at, request_message } = permission;
    const number = findNumber(accounts, phone_number_id);
    if (number === undefined) return;
    const reply = {
      response: status === 'no_permission' ? 'reject' : 'accept',
      ...(status !== 'no_permission' && { is_permanent: status === 'permanent' }),
      ...(expires_at !== null && { expiration_timestamp: Math.floor(expires_at / 1000) }),
      response_source,
    };
    const interactive = { type: 'call_permission_reply', call_permission_reply: reply };
    const context = { from: phoneDigits(number.displayPhoneNumber), id: cause ?? request_message ?? sampleRequest };
    const message = {
      type: 'call_permission_reply' as const,
      contact: population.memberOf(contact),
      interactive,
      context,
    };
    announce(buildEvent(message, number, now()));
  }
}

function keyOf(phoneNumberId: string, contact: ContactId): string {
  return `${phoneNumberId} ${contact}`;
}
