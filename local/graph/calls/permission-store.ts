import * as z from 'zod/mini';
import { findNumber } from '../core/accounts.ts';
import { type Chat, chatKey, type Platform } from '../core/platform.ts';
import type { Records } from '../core/records.ts';
import { buildEvent } from '../events/events.ts';
import { ControlError, type ControlRoute, get, on, type PathParams } from '../http/control-route.ts';
import { type CallPermission, firstSeen, granted, revoked, withConnectedCall } from './permissions.ts';

/** The id of a request that was not a message of the business. */
const sampleRequest = 'wamid.HBgLNTUwMTAwMDAxFQIAERgS';

/** The call permissions of contacts, by phone number. */
export class CallPermissionStore {
  readonly #platform: Platform;
  readonly #records: Records<CallPermission>;

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#records = platform.open('call-permissions');
  }

  all(): CallPermission[] {
    return [...this.#records.values()];
  }

  of(chat: Chat): CallPermission {
    return this.#records.get(chatKey(chat)) ?? this.save(firstSeen(chat, this.#platform.now()));
  }

  save(permission: CallPermission): CallPermission {
    this.#records.set(chatKey(permission), permission);
    return permission;
  }

  /** A call by the business was answered. */
  countConnected(chat: Chat): void {
    this.save(withConnectedCall(this.of(chat), this.#platform.now()));
  }

  /** Announces the new permission as a message from the contact, which names the message that asked for it. */
  announceReply({ phone_number_id, contact, status, expires_at, request_message }: CallPermission): void {
    const { accounts, population, announce, now } = this.#platform;
    const number = findNumber(accounts, phone_number_id);
    if (number === undefined) return;
    const reply = {
      response: status === 'no_permission' ? 'reject' : 'accept',
      ...(status !== 'no_permission' && { is_permanent: status === 'permanent' }),
      ...(expires_at !== null && { expiration_timestamp: Math.floor(expires_at / 1000) }),
      response_source: 'user_action',
    };
    const message = {
      type: 'call_permission_reply' as const,
      contact: population.memberOf(contact),
      interactive: { type: 'call_permission_reply', call_permission_reply: reply },
      context: { from: number.phoneNumber, id: request_message ?? sampleRequest },
    };
    announce(buildEvent(message, number, now()));
  }
}

const changeSchema = z.strictObject({
  status: z.enum(['no_permission', 'temporary', 'permanent']),
  /** When a temporary permission expires, in Unix seconds. Defaults to seven days from now. */
  expiration_time: z.optional(z.int()),
});

const replySchema = z.strictObject({
  response: z.enum(['accept', 'reject']),
  is_permanent: z._default(z.boolean(), false),
});

/** Shows and sets call permissions, and plays the user who is asked for one. */
export function callPermissionControl(platform: Platform, permissions: CallPermissionStore): ControlRoute[] {
  const { accounts, population, now } = platform;
  const path = '/call-permissions/{phone_number_id}/{contact}';
  return [
    get('/call-permissions', () => ({ data: permissions.all() })),
    get(path, (params) => permissionOf(params)),
    on('PUT', path, changeSchema, ({ status, expiration_time }, params) => {
      const permission = permissionOf(params);
      const next =
        status === 'no_permission' ? revoked(permission) : granted(permission, status === 'permanent', now());
      return permissions.save({
        ...next,
        ...(expiration_time !== undefined && { expires_at: expiration_time * 1000 }),
      });
    }),
    on('POST', `${path}/reply`, replySchema, ({ response, is_permanent }, params) => {
      const permission = permissionOf(params);
      const next = response === 'accept' ? granted(permission, is_permanent, now()) : revoked(permission);
      permissions.announceReply(permissions.save(next));
      return next;
    }),
  ];

  function permissionOf({ phone_number_id = '', contact = '' }: PathParams): CallPermission {
    if (findNumber(accounts, phone_number_id) === undefined) {
      throw new ControlError(404, `No account has the phone number ${phone_number_id}`);
    }
    return permissions.of({ phone_number_id, contact: population.idOf(contact) });
  }
}
