import type { TLSSocket } from 'node:tls';
import { parseAllowList } from '#shared/adapters/egress/addresses.ts';
import { openConnection, tlsSessions } from '#shared/adapters/egress/connect.ts';
import { EgressError } from '#shared/adapters/egress/errors.ts';
import { resolveName } from '#shared/adapters/egress/resolve.ts';
import { hostOf } from '#shared/adapters/egress/url.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import { receivedStatus } from '#shared/domain/deliveries/delivery.ts';
import type { DeliveryStore } from '#shared/domain/deliveries/delivery-store.ts';
import { oldestKept, takeDeliveries } from '#shared/domain/deliveries/find-deliveries.ts';
import type { ErrorClass } from '#shared/domain/egress/sender.ts';
import { type Target, type TargetRecord, targetsOf } from '#shared/domain/subscribers/target.ts';
import type { DeliverySettings } from '#shared/domain/subscribers/target-store.ts';
import type { Fact, Reader } from './fact.ts';

/** A webhook of a number or a workspace. */
export interface TargetFacts {
  subscriber: string;
  isWorkspace: boolean;
  subject: string;
  target: Target;
  record: TargetRecord;
  /** Undefined if the target has no URL. */
  connection?: Fact<Connection>;
  /** When a delivery got the status 200 last, in epoch milliseconds. */
  lastSuccess?: Fact<number | undefined>;
}

/** What a connection to the receiver showed. */
export interface Connection {
  /** Why there was none. */
  error?: ErrorClass;
  /** Why TLS rejects the certificate: a code of Node's such as `CERT_HAS_EXPIRED`. */
  reason?: string;
  /** Epoch milliseconds. Absent without TLS. */
  certificate?: { from: number; to: number };
}

export interface TargetSources {
  deliveries: Pick<DeliveryStore, 'search'>;
  /** Addresses that the service may connect to although they are not public. */
  allowedCidrs: string;
  /** Certificate authorities (PEM) to trust instead of Node's own. */
  caPem?: string;
  now: Clock;
}

export async function readTargets(
  { subscriber, targets }: DeliverySettings,
  subject: string,
  sources: TargetSources,
  { read }: Reader,
): Promise<TargetFacts[]> {
  return Promise.all(
    targetsOf(subscriber).map(async (target): Promise<TargetFacts> => {
      const record = targets[target];
      const isWorkspace = subscriber.id === subscriber.workspace;
      const place = { subscriber: subscriber.id, isWorkspace, subject, target, record };
      const { url } = record;
      if (url === undefined) return place;
      const [connection, lastSuccess] = await Promise.all([
        read(() => connect(url, sources)),
        read(() => lastSuccessOf(subscriber.id, target, sources)),
      ]);
      return { ...place, connection, lastSuccess };
    }),
  );
}

const connectTimeoutMs = 5_000;

/** Connects as the service does, but from this machine, and sends nothing. */
async function connect(url: string, { allowedCidrs, caPem }: TargetSources): Promise<Connection> {
  const parsed = new URL(url);
  const secure = parsed.protocol === 'https:';
  const peer = { host: hostOf(parsed), port: Number(parsed.port || (secure ? 443 : 80)), secure };
  try {
    const socket = await openConnection(peer, {
      allowList: parseAllowList(allowedCidrs),
      resolve: resolveName,
      connectTimeoutMs,
      sessions: tlsSessions(caPem),
    });
    const certificate = secure ? validity(socket as TLSSocket) : undefined;
    socket.destroy();
    return certificate ? { certificate } : {};
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

async function lastSuccessOf(
  subscriber: string,
  target: Target,
  { deliveries, now }: TargetSources,
): Promise<number | undefined> {
  const filter = { state: 'delivered', target, since: oldestKept(now()) } as const;
  const search = deliveries.search({ subscriber, order: 'newest-first', wanted: 1, filter });
  const { deliveries: found } = await takeDeliveries(search, 1, { now, isNarrow: true });
  return found[0]?.attempts.findLast(({ status }) => status === receivedStatus)?.at;
}
