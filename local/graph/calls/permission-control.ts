import * as z from 'zod/mini';
import { type BusinessAccount, findNumber } from '../core/accounts.ts';
import type { Population } from '../core/population.ts';
import { ControlError, type ControlRequest, type ControlRoute, readJson } from '../http/control-route.ts';
import { jsonResponse } from '../http/http.ts';
import { contactIn } from './control.ts';
import type { CallPermissionStore } from './permission-store.ts';
import { type CallPermission, granted, requested, revoked } from './permissions.ts';

const count = z.int().check(z.gte(0), z.lte(1000));

const changeSchema = z.strictObject({
  status: z.optional(z.enum(['no_permission', 'temporary', 'permanent'])),
  /** When a temporary permission expires, in Unix seconds. Defaults to seven days from now. */
  expiration_time: z.optional(z.int()),
  /** Whether the contact can be called at all. */
  callable: z.optional(z.boolean()),
  /** Sets how many calls were answered and how often permission was requested, all as of now. */
  connected_calls: z.optional(count),
  permission_requests: z.optional(count),
});

const replySchema = z.strictObject({
  response: z.enum(['accept', 'reject']),
  is_permanent: z._default(z.boolean(), false),
});

/** Shows and sets call permissions, and plays the user who is asked for one. */
export function callPermissionControl(
  accounts: readonly BusinessAccount[],
  population: Population,
  permissions: CallPermissionStore,
  now: () => number,
): ControlRoute[] {
  const path = '/call-permissions/{phone_number_id}/{contact}';
  return [
    { method: 'GET', path: '/call-permissions', handle: () => jsonResponse(200, { data: permissions.all() }) },
    { method: 'GET', path, handle: ({ params }) => jsonResponse(200, permissionOf(params)) },
    {
      method: 'PUT',
      path,
      handle: ({ params, body }) =>
        jsonResponse(200, permissions.save(changed(permissionOf(params), readJson(changeSchema, body), now()))),
    },
    {
      method: 'POST',
      path: `${path}/requests`,
      handle: ({ params }) => jsonResponse(200, permissions.save(requested(permissionOf(params), now()))),
    },
    {
      method: 'POST',
      path: `${path}/reply`,
      handle({ params, body }) {
        const { response, is_permanent } = readJson(replySchema, body);
        const permission = permissionOf(params);
        const next = response === 'accept' ? granted(permission, is_permanent, now()) : revoked(permission);
        permissions.announceReply(permissions.save(next), 'user_action');
        return jsonResponse(200, next);
      },
    },
  ];

  function permissionOf({ phone_number_id = '', contact = '' }: ControlRequest['params']): CallPermission {
    if (findNumber(accounts, phone_number_id) === undefined) {
      throw new ControlError(404, `No account has the phone number ${phone_number_id}`);
    }
    return permissions.of(phone_number_id, population.idOf(contactIn(contact)));
  }
}

function changed(permission: CallPermission, change: z.infer<typeof changeSchema>, now: number): CallPermission {
  const { status, expiration_time, callable, connected_calls, permission_requests } = change;
  return {
    ...(status === undefined ? permission : withStatus(permission, status, now)),
    ...(expiration_time !== undefined && { expires_at: expiration_time * 1000 }),
    ...(callable !== undefined && { callable }),
    ...(connected_calls !== undefined && { connected_at: Array<number>(connected_calls).fill(now) }),
    ...(permission_requests !== undefined && { requested_at: Array<number>(permission_requests).fill(now) }),
  };
}

function withStatus(permission: CallPermission, status: CallPermission['status'], now: number): CallPermission {
  return status === 'no_permission' ? revoked(permission) : granted(permission, status === 'permanent', now);
}
