import { dayMs } from '#shared/base/time/duration.ts';
import type { ContactId } from '../core/contacts.ts';
import { GraphError } from '../core/graph-errors.ts';
import type { CallSettings } from './settings.ts';

/** A contact's permission for a phone number, and how it was used. Times are milliseconds since the epoch. */
export interface CallPermission {
  readonly phone_number_id: string;
  readonly contact: ContactId;
  readonly status: 'no_permission' | 'temporary' | 'permanent';
  /** Null unless the permission is temporary. */
  readonly expires_at: number | null;
  /** Whether the contact can be called at all. */
  readonly callable: boolean;
  /** The requests for permission since the last answered call. */
  readonly requested_at: readonly number[];
  /** The message with the latest request. Null if the control surface made the request, or if there was none. */
  readonly request_message: string | null;
  /** The answered calls by the business. */
  readonly connected_at: readonly number[];
  /** The number of unanswered calls by the business in a row. */
  readonly unanswered_calls: number;
}

const temporaryMs = 7 * dayMs;
const unansweredUntilRevoked = 4;

const periods = { PT24H: dayMs, P7D: 7 * dayMs } as const;

/** The default: a permission for a week, so that the first call to a contact rings. */
export function firstSeen(phoneNumberId: string, contact: ContactId, now: number): CallPermission {
  return {
    phone_number_id: phoneNumberId,
    contact,
    status: 'temporary',
    expires_at: now + temporaryMs,
    callable: true,
    requested_at: [],
    request_message: null,
    connected_at: [],
    unanswered_calls: 0,
  };
}

/** Graph's response to a request for the permission. Source: Meta's page "Obtain user call permissions". */
export function permissionNode(permission: CallPermission, settings: CallSettings, now: number) {
  const { expires_at } = permission;
  const status = statusOf(permission, now);
  const requests = requestLimits(permission, now);
  const calls = callLimits(permission, settings, now);
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

/** Throws 138001, 138006 or 138012. */
export function assertMayCall(permission: CallPermission, settings: CallSettings, now: number): void {
  if (!permission.callable) throw new GraphError('receiver_uncallable');
  if (statusOf(permission, now) === 'no_permission') throw new GraphError('call_permission_missing');
  if (!callLimits(permission, settings, now).every(hasRoom)) throw new GraphError('business_call_limit');
}

/** Records that the business asked for permission. Throws 138009 or 138017. */
export function requested(permission: CallPermission, now: number): CallPermission {
  if (statusOf(permission, now) === 'permanent') throw new GraphError('permission_already_permanent');
  if (!requestLimits(permission, now).every(hasRoom)) throw new GraphError('permission_request_limit');
  return { ...permission, requested_at: [...permission.requested_at, now] };
}

export function granted(permission: CallPermission, forGood: boolean, now: number): CallPermission {
  const status = forGood ? 'permanent' : 'temporary';
  return { ...permission, status, expires_at: forGood ? null : now + temporaryMs, unanswered_calls: 0 };
}

export function revoked(permission: CallPermission): CallPermission {
  return { ...permission, status: 'no_permission', expires_at: null, unanswered_calls: 0 };
}

/** Records an answered call by the business, which may then ask for permission again. */
export function withConnectedCall(permission: CallPermission, now: number): CallPermission {
  const connected_at = [...permission.connected_at, now].filter((time) => time > now - dayMs);
  return { ...permission, connected_at, requested_at: [], unanswered_calls: 0 };
}

/** Records an unanswered call. The fourth in a row revokes the permission. */
export function withUnansweredCall(permission: CallPermission): CallPermission {
  const unanswered_calls = permission.unanswered_calls + 1;
  return unanswered_calls < unansweredUntilRevoked ? { ...permission, unanswered_calls } : revoked(permission);
}

function statusOf({ status, expires_at }: CallPermission, now: number): CallPermission['status'] {
  return status === 'temporary' && expires_at !== null && expires_at <= now ? 'no_permission' : status;
}

type Limit = ReturnType<typeof limitOf>;

function requestLimits({ requested_at }: CallPermission, now: number): Limit[] {
  return [limitOf('PT24H', 1, requested_at, now), limitOf('P7D', 2, requested_at, now)];
}

function callLimits({ connected_at }: CallPermission, settings: CallSettings, now: number): Limit[] {
  return [limitOf('PT24H', settings.connected_calls_per_day, connected_at, now)];
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
