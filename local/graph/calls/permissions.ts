import { dayMs } from '#shared/base/time.ts';
import type { Chat } from '../core/platform.ts';
import { GraphError } from '../http/graph-errors.ts';

/** A contact's permission for a phone number, and how it was used. Times are milliseconds since the epoch. */
export interface CallPermission extends Chat {
  readonly status: 'no_permission' | 'temporary' | 'permanent';
  /** Null unless the permission is temporary. */
  readonly expires_at: number | null;
  /** The requests for permission since the last answered call. */
  readonly requested_at: readonly number[];
  /** The message with the latest request. */
  readonly request_message: string | null;
  /** The answered calls by the business. */
  readonly connected_at: readonly number[];
}

const temporaryMs = 7 * dayMs;
/** How many calls of the business a contact may answer in a day. */
const maxConnectedCalls = 100;

const periods = { PT24H: dayMs, P7D: 7 * dayMs } as const;

/** The default: a permission for a week, so that the first call to a contact rings. */
export function firstSeen({ phone_number_id, contact }: Chat, now: number): CallPermission {
  return {
    phone_number_id,
    contact,
    status: 'temporary',
    expires_at: now + temporaryMs,
    requested_at: [],
    request_message: null,
    connected_at: [],
  };
}

/** Graph's response to a request for the permission. Source: Meta's page "Obtain user call permissions". */
export function permissionNode(permission: CallPermission, now: number) {
  const { expires_at } = permission;
  const status = statusOf(permission, now);
  const requests = requestLimits(permission, now);
  const calls = callLimits(permission, now);
  return {
    messaging_product: 'whatsapp',
    permission: {
      status,
      ...(status === 'temporary' && expires_at !== null && { expiration_time: Math.floor(expires_at / 1000) }),
    },
    actions: [
      {
        action_name: 'send_call_permission_request',
        can_perform_action: status !== 'permanent' && requests.every(hasRoom),
        limits: requests,
      },
      {
        action_name: 'start_call',
        can_perform_action: status !== 'no_permission' && calls.every(hasRoom),
        limits: calls,
      },
    ],
  };
}

/** Throws 138006 or 138012. */
export function assertMayCall(permission: CallPermission, now: number): void {
  if (statusOf(permission, now) === 'no_permission') throw new GraphError('call_permission_missing');
  if (!callLimits(permission, now).every(hasRoom)) throw new GraphError('business_call_limit');
}

/** Records that the business asked for permission. Throws 138009 or 138017. */
export function requested(permission: CallPermission, now: number): CallPermission {
  if (statusOf(permission, now) === 'permanent') throw new GraphError('permission_already_permanent');
  if (!requestLimits(permission, now).every(hasRoom)) throw new GraphError('permission_request_limit');
  return { ...permission, requested_at: [...permission.requested_at, now] };
}

export function granted(permission: CallPermission, forGood: boolean, now: number): CallPermission {
  const status = forGood ? 'permanent' : 'temporary';
  return { ...permission, status, expires_at: forGood ? null : now + temporaryMs };
}

export function revoked(permission: CallPermission): CallPermission {
  return { ...permission, status: 'no_permission', expires_at: null };
}

/** Records an answered call by the business, which may then ask for permission again. */
export function withConnectedCall(permission: CallPermission, now: number): CallPermission {
  const connected_at = [...permission.connected_at, now].filter((time) => time > now - dayMs);
  return { ...permission, connected_at, requested_at: [] };
}

function statusOf({ status, expires_at }: CallPermission, now: number): CallPermission['status'] {
  return status === 'temporary' && expires_at !== null && expires_at <= now ? 'no_permission' : status;
}

type Limit = ReturnType<typeof limitOf>;

function requestLimits({ requested_at }: CallPermission, now: number): Limit[] {
  return [limitOf('PT24H', 1, requested_at, now), limitOf('P7D', 2, requested_at, now)];
}

function callLimits({ connected_at }: CallPermission, now: number): Limit[] {
  return [limitOf('PT24H', maxConnectedCalls, connected_at, now)];
}

function limitOf(time_period: keyof typeof periods, max_allowed: number, times: readonly number[], now: number) {
  const period = periods[time_period];
  const recent = times.filter((time) => time > now - period);
  const limit = { time_period, max_allowed, current_usage: recent.length };
  if (recent.length === 0 || recent.length < max_allowed) return limit;
  return { ...limit, limit_expiration_time: Math.floor((Math.min(...recent) + period) / 1000) };
}

function hasRoom({ current_usage, max_allowed }: Limit): boolean {
  return current_usage < max_allowed;
}
