import type { TLSSocket } from 'node:tls';
import { parseAllowList } from '#shared/adapters/egress/addresses.ts';
import { openConnection, tlsSessions } from '#shared/adapters/egress/connect.ts';
import { EgressError } from '#shared/adapters/egress/errors.ts';
import { resolveName } from '#shared/adapters/egress/resolve.ts';
import { hostOf } from '#shared/adapters/egress/url.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import { dayMs } from '#shared/base/time/duration.ts';
import { receivedStatus } from '#shared/domain/deliveries/delivery.ts';
import type { DeliveryStore } from '#shared/domain/deliveries/delivery-store.ts';
import { oldestKept, takeDeliveries } from '#shared/domain/deliveries/find-deliveries.ts';
import type { ErrorClass } from '#shared/domain/egress/sender.ts';
import { isOpen } from '#shared/domain/subscribers/breaker.ts';
import { type Target, targetsOf } from '#shared/domain/subscribers/target.ts';
import type { DeliverySettings } from '#shared/domain/subscribers/target-store.ts';
import { type Check, type Context, type Judgement, notice, ok, wrong } from './check.ts';
import { type Connection, known, type Reader, type TargetFacts } from './facts.ts';
import { day, dayAndTime, span } from './words.ts';

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

/** From so many days before its end on, a certificate counts as wrong, unless it never lasts much longer. */
export const certificateEndsWithinDays = 14;

const meanings: Partial<Record<ErrorClass, string>> = {
  dns: 'its name has no address',
  'forbidden-address': 'its address is not public',
  refused: 'it accepts no connections',
  unreachable: 'it cannot be reached',
  'connect-timeout': 'it takes too long to connect',
};

const originOf = ({ all }: Context) => (all.deployment.callback ? new URL(all.deployment.callback).origin : 'API');

const nameOf = ({ target, record }: TargetFacts) => `${target} (${new URL(String(record.url)).host})`;

export const targetChecks = {
  /** Seen from this machine: the service itself may reach more or less. */
  'target-address': {
    title: 'address of the webhook',
    says: 'its name has no address, or it accepts no connection',
    remedy: 'the owner of the webhook must fix it, or set another URL',
    judge(facts) {
      if (facts.connection === undefined) return [];
      const { error } = known(facts.connection);
      if (error === undefined || error === 'tls') return ok(`${nameOf(facts)} accepts connections`);
      return wrong(
        `${nameOf(facts)}: seen from this machine, ${meanings[error] ?? `the connection failed (${error})`}.`,
      );
    },
  },
  'target-certificate': {
    title: 'certificate of the webhook',
    says: 'its certificate is invalid or ends soon',
    remedy: 'the owner of the webhook must renew it',
    judge(facts, { all }) {
      if (facts.connection === undefined) return [];
      const { error, reason, certificate } = known(facts.connection);
      const name = nameOf(facts);
      if (error === 'tls') return wrong(`${name}: its certificate is rejected${reason ? ` (${reason})` : ''}.`);
      if (certificate === undefined) return ok(`${name}: none to check`);
      const { from, to } = certificate;
      const left = to - all.at;
      // Certificates that last for days only are renewed late.
      const isSoon = left < certificateEndsWithinDays * dayMs && left < (to - from) / 3;
      return isSoon
        ? wrong(`${name}: its certificate ends in ${span(left)}, on ${day(to)}.`)
        : ok(`${name}: until ${day(to)}`);
    },
  },
  'target-breaker': {
    title: 'circuit breaker of the webhook',
    says: 'it is open or paused: notifications are held',
    remedy: 'fix the receiver; a paused webhook must be resumed',
    judge: (facts, context) => (facts.record.url === undefined ? [] : judgeBreaker(facts, context)),
  },
  'target-success': {
    title: 'last 200 of the webhook',
    says: 'no delivery of the last 30 days got the status 200, or no webhook is set',
    remedy: 'read `GET …/webhook/deliveries`, and fix the receiver',
    judge(facts, context) {
      const { lastSuccess, target, isWorkspace, subscriber } = facts;
      if (lastSuccess === undefined) {
        if (target !== 'webhook' || isWorkspace) return [];
        return notice('No webhook is set, so its notifications go nowhere. A user of the number sets it:', {
          command: `curl -X PUT ${originOf(context)}/v2/messaging/numbers/${subscriber}/webhook -H 'Authorization: Bearer TOKEN' -H 'Content-Type: application/json' -d '{"webhook":"https://example.com/hook"}'`,
        });
      }
      const at = known(lastSuccess);
      return at === undefined
        ? notice(`${nameOf(facts)}: no delivery of the last 30 days got the status 200.`)
        : ok(`${nameOf(facts)}: ${span(context.all.at - at)} ago (${dayAndTime(at)})`);
    },
  },
} as const satisfies Record<string, Check<TargetFacts>>;

function judgeBreaker(facts: TargetFacts, context: Context): Judgement {
  const { breaker } = facts.record;
  const name = nameOf(facts);
  if (breaker.paused_at !== undefined) {
    const path = `/v2/${facts.isWorkspace ? 'workspaces' : 'messaging/numbers'}/${facts.subscriber}/webhook/resume`;
    return wrong(
      `${name} has been paused since ${dayAndTime(breaker.paused_at)}, so its notifications are held. Once the receiver ` +
        "responds again, its owner resumes it, with a token of the workspace's owner:",
      { command: `curl -X POST ${originOf(context)}${path} -H 'Authorization: Bearer TOKEN'` },
    );
  }
  if (isOpen(breaker)) {
    const { at } = context.all;
    return wrong(
      `${name} is failing: the circuit breaker has been open for ${span(at - (breaker.opened_at ?? at))}, and its ` +
        'notifications are held. It closes by itself when the receiver responds with 200.',
    );
  }
  return ok(
    breaker.failures === 0 ? `${name}: closed` : `${name}: closed, after ${breaker.failures} failures in a row`,
  );
}
