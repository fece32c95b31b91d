import { dayMs } from '#shared/base/time/duration.ts';
import type { ErrorClass } from '#shared/domain/egress/sender.ts';
import { isOpen } from '#shared/domain/subscribers/breaker.ts';
import { isWorkspace } from '#shared/domain/subscribers/subscriber.ts';
import { type Check, type Context, notice, ok, wrong } from './check.ts';
import type { TargetSubject } from './subjects.ts';
import { day, dayAndTime, span } from './words.ts';

/** From so many days before its end on, a certificate counts as wrong, unless it never lasts much longer. */
const certificateEndsWithinDays = 14;

const meanings: Partial<Record<ErrorClass, string>> = {
  dns: 'its name has no address',
  'forbidden-address': 'its address is not public',
  refused: 'it accepts no connections',
  unreachable: 'it cannot be reached',
  'connect-timeout': 'it takes too long to connect',
};

/** The address of the webhook of a subscriber in our API. */
function webhookAddress({ subscriber }: TargetSubject, { callback }: Context): string {
  const path = isWorkspace(subscriber) ? 'workspaces' : 'messaging/numbers';
  return `${new URL(callback).origin}/v2/${path}/${subscriber.id}/webhook`;
}

const nameOf = ({ target, record: { url } }: TargetSubject) => `${target} (${new URL(String(url)).host})`;

export const targetChecks = {
  /** Seen from this machine: the service itself may reach more or less. */
  'target-address': {
    title: 'address of the webhook',
    says: 'its name has no address, or it accepts no connection',
    async judge(of) {
      if (of.record.url === undefined) return [];
      const { error } = await of.connection();
      if (error === undefined || error === 'tls') return ok(`${nameOf(of)} accepts connections`);
      return wrong(`${nameOf(of)}: seen from this machine, ${meanings[error] ?? `the connection failed (${error})`}.`);
    },
  },
  'target-certificate': {
    title: 'certificate of the webhook',
    says: 'its certificate is invalid or ends soon',
    async judge(of, { now }) {
      if (of.record.url === undefined) return [];
      const { error, reason, certificate } = await of.connection();
      const name = nameOf(of);
      if (error === 'tls') return wrong(`${name}: its certificate is rejected${reason ? ` (${reason})` : ''}.`);
      if (certificate === undefined) return ok(`${name}: none to check`);
      const { from, to } = certificate;
      const left = to - now();
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
    judge(of, context) {
      const { url, breaker } = of.record;
      if (url === undefined) return [];
      const { paused_at, opened_at = context.now(), failures } = breaker;
      if (paused_at !== undefined) {
        return wrong(
          `${nameOf(of)} has been paused since ${dayAndTime(paused_at)}, so its notifications are held. Once the receiver ` +
            "responds again, its owner resumes it, with a token of the workspace's owner:",
          { command: `curl -X POST ${webhookAddress(of, context)}/resume -H 'Authorization: Bearer TOKEN'` },
        );
      }
      if (isOpen(breaker)) {
        return wrong(
          `${nameOf(of)} is failing: the circuit breaker has been open for ${span(context.now() - opened_at)}, and its ` +
            'notifications are held. It closes by itself when the receiver responds with 200.',
        );
      }
      return ok(`${nameOf(of)}: closed${failures === 0 ? '' : `, after ${failures} failures in a row`}`);
    },
  },
  'target-success': {
    title: 'last 200 of the webhook',
    says: 'no delivery of the last 30 days got the status 200, or no webhook is set',
    async judge(of, context) {
      if (of.record.url === undefined) {
        if (of.target !== 'webhook' || isWorkspace(of.subscriber)) return [];
        return notice('No webhook is set, so its notifications go nowhere. A user of the number sets it:', {
          command: `curl -X PUT ${webhookAddress(of, context)} -H 'Authorization: Bearer TOKEN' -H 'Content-Type: application/json' -d '{"webhook":"https://example.com/hook"}'`,
        });
      }
      const at = await of.lastSuccess();
      return at === undefined
        ? notice(`${nameOf(of)}: no delivery of the last 30 days got the status 200.`)
        : ok(`${nameOf(of)}: ${span(context.now() - at)} ago (${dayAndTime(at)})`);
    },
  },
} as const satisfies Record<string, Check<TargetSubject>>;
