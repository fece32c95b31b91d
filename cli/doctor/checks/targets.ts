import { dayMs } from '#shared/base/time/duration.ts';
import type { ErrorClass } from '#shared/domain/egress/sender.ts';
import { isOpen } from '#shared/domain/subscribers/breaker.ts';
import type { Connection, TargetFacts } from '../facts/targets.ts';
import type { Facts } from '../facts.ts';
import { type Finding, finding, type Judgement, judge, notice, ok, wrong } from '../finding.ts';
import { day, dayAndTime, span } from '../words.ts';

/** From so many days before its end on, a certificate counts as wrong, unless it never lasts much longer. */
export const certificateEndsWithinDays = 14;

export function checkTarget(facts: TargetFacts, { at, deployment }: Facts): Finding[] {
  const { subject, subscriber, isWorkspace, target, record, connection, lastSuccess } = facts;
  const api = deployment.callback ? new URL(deployment.callback).origin : 'API';
  if (record.url === undefined || connection === undefined || lastSuccess === undefined) {
    if (target !== 'webhook' || isWorkspace) return [];
    return [
      finding(
        'target-success',
        subject,
        notice('No webhook is set, so its notifications go nowhere. A user of the number sets it:', {
          command: `curl -X PUT ${api}/v2/messaging/numbers/${subscriber}/webhook -H 'Authorization: Bearer TOKEN' -H 'Content-Type: application/json' -d '{"webhook":"https://example.com/hook"}'`,
        }),
      ),
    ];
  }
  const { host } = new URL(record.url);
  const name = `${target} (${host})`;
  const path = `/v2/${isWorkspace ? 'workspaces' : 'messaging/numbers'}/${subscriber}/webhook/resume`;
  const resume = `curl -X POST ${api}${path} -H 'Authorization: Bearer TOKEN'`;
  return [
    judge('target-address', subject, connection, (value) => judgeAddress(value, name)),
    judge('target-certificate', subject, connection, (value) => judgeCertificate(value, name, at)),
    finding('target-breaker', subject, judgeBreaker(facts, name, at, resume)),
    judge('target-success', subject, lastSuccess, (value) =>
      value === undefined
        ? notice(`${name}: no delivery of the last 30 days got the status 200.`)
        : ok(`${name}: ${span(at - value)} ago (${dayAndTime(value)})`),
    ),
  ];
}

const meanings: Partial<Record<ErrorClass, string>> = {
  dns: 'its name has no address',
  'forbidden-address': 'its address is not public',
  refused: 'it accepts no connections',
  unreachable: 'it cannot be reached',
  'connect-timeout': 'it takes too long to connect',
};

/** Seen from this machine: the service itself may reach more or less. */
function judgeAddress({ error }: Connection, name: string): Judgement {
  if (error === undefined || error === 'tls') return ok(`${name} accepts connections`);
  return wrong(`${name}: seen from this machine, ${meanings[error] ?? `the connection failed (${error})`}.`);
}

function judgeCertificate({ error, reason, certificate }: Connection, name: string, now: number): Judgement {
  if (error === 'tls') return wrong(`${name}: its certificate is rejected${reason ? ` (${reason})` : ''}.`);
  if (certificate === undefined) return ok(`${name}: none to check`);
  const { from, to } = certificate;
  const left = to - now;
  // Certificates that last for days only are renewed late.
  const isSoon = left < certificateEndsWithinDays * dayMs && left < (to - from) / 3;
  return isSoon
    ? wrong(`${name}: its certificate ends in ${span(left)}, on ${day(to)}.`)
    : ok(`${name}: until ${day(to)}`);
}

function judgeBreaker({ record: { breaker } }: TargetFacts, name: string, now: number, resume: string): Judgement {
  if (breaker.paused_at !== undefined) {
    return wrong(
      `${name} has been paused since ${dayAndTime(breaker.paused_at)}, so its notifications are held. Once the receiver ` +
        "responds again, its owner resumes it, with a token of the workspace's owner:",
      { command: resume },
    );
  }
  if (isOpen(breaker)) {
    return wrong(
      `${name} is failing: the circuit breaker has been open for ${span(now - (breaker.opened_at ?? now))}, and its ` +
        'notifications are held. It closes by itself when the receiver responds with 200.',
    );
  }
  return ok(
    breaker.failures === 0 ? `${name}: closed` : `${name}: closed, after ${breaker.failures} failures in a row`,
  );
}
