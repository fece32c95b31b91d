import type { TLSSocket } from 'node:tls';
import { parseAllowList } from '#shared/adapters/egress/addresses.ts';
import { openConnection, tlsSessions } from '#shared/adapters/egress/connect.ts';
import { EgressError } from '#shared/adapters/egress/errors.ts';
import { resolveName } from '#shared/adapters/egress/resolve.ts';
import { hostOf } from '#shared/adapters/egress/url.ts';
import { receivedStatus } from '#shared/domain/deliveries/delivery.ts';
import { oldestKept, takeDeliveries } from '#shared/domain/deliveries/find-deliveries.ts';
import type { ErrorClass } from '#shared/domain/egress/sender.ts';
import type { Target } from '#shared/domain/subscribers/target.ts';
import type { Service } from '../service.ts';

/** What a connection to the receiver showed. */
interface Connection {
  /** Why there was none. */
  error?: ErrorClass;
  /** Why TLS rejects the certificate: a code of Node's such as `CERT_HAS_EXPIRED`. */
  reason?: string;
  /** Epoch milliseconds. Absent without TLS. */
  certificate?: { from: number; to: number } | undefined;
}

const connectTimeoutMs = 5_000;

/**
 * Connects as the service does, but from this machine, and sends nothing.
 *
 * @param allowedCidrs addresses that the service may connect to although they are not public
 */
export async function connect(url: string, allowedCidrs: string): Promise<Connection> {
  const parsed = new URL(url);
  const secure = parsed.protocol === 'https:';
  const peer = { host: hostOf(parsed), port: Number(parsed.port || (secure ? 443 : 80)), secure };
  try {
    const socket = await openConnection(peer, {
      allowList: parseAllowList(allowedCidrs),
      resolve: resolveName,
      connectTimeoutMs,
      sessions: tlsSessions(),
    });
    const certificate = secure ? validity(socket as TLSSocket) : undefined;
    socket.destroy();
    return { certificate };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    const code = error.cause instanceof Error ? Reflect.get(error.cause, 'code') : undefined;
    return { error: error.errorClass, ...(error.errorClass === 'tls' && code && { reason: String(code) }) };
  }
}

function validity(socket: TLSSocket): Connection['certificate'] {
  const { valid_from, valid_to } = socket.getPeerCertificate();
  const [from, to] = [Date.parse(valid_from), Date.parse(valid_to)];
  return Number.isNaN(from) || Number.isNaN(to) ? undefined : { from, to };
}

/** When a delivery to the target got the status 200 last, in epoch milliseconds. */
export async function lastSuccess(
  subscriber: string,
  target: Target,
  { deliveries, now }: Pick<Service, 'deliveries' | 'now'>,
): Promise<number | undefined> {
  const filter = { state: 'delivered', target, since: oldestKept(now()) } as const;
  const search = deliveries.search({ subscriber, order: 'newest-first', wanted: 1, filter });
  const { deliveries: found } = await takeDeliveries(search, 1, { now, isNarrow: true });
  return found[0]?.attempts.findLast(({ status }) => status === receivedStatus)?.at;
}
