import { isOpen } from '#shared/webhooks/breaker.ts';
import { isWorkspace, nameOf } from '#shared/webhooks/subscriber.ts';
import { type Check, type Context, dayAndTime, notice, ok, span, wrong } from './check.ts';
import type { TargetSubject } from './subjects.ts';

/** The address of the webhook of a subscriber in our API. */
function webhookAddress({ subscriber }: TargetSubject, { callback }: Context): string {
  const path = isWorkspace(subscriber) ? 'workspaces' : 'messaging/numbers';
  return `${new URL(callback).origin}/v2/${path}/${subscriber.id}/webhook`;
}

const shownName = ({ target, record: { url } }: TargetSubject) => `${nameOf(target)} (${new URL(String(url)).host})`;

export const targetChecks = {
  'target-breaker'(of, context) {
    const { url, breaker } = of.record;
    if (url === undefined) return [];
    const { paused_at, opened_at = context.now(), failures } = breaker;
    if (paused_at !== undefined) {
      const text = `${shownName(of)} has been paused since ${dayAndTime(paused_at)}, so its notifications are held.`;
      return wrong(`${text} Once the receiver responds again, an owner of the workspace resumes it:`, {
        command: `curl -X POST ${webhookAddress(of, context)}/resume -H 'Authorization: Bearer TOKEN'`,
      });
    }
    if (isOpen(breaker)) {
      const text = `${shownName(of)} is failing: the circuit breaker has been open for ${span(context.now() - opened_at)}.`;
      return wrong(`${text} Its notifications are held. The log says why: GET …/webhook/deliveries.`);
    }
    return ok(`${shownName(of)}: closed${failures === 0 ? '' : `, after ${failures} failures in a row`}`);
  },
  async 'target-success'(of, context) {
    if (of.record.url === undefined) {
      if (of.target !== 'webhook' || isWorkspace(of.subscriber)) return [];
      return notice('No webhook is set, so its notifications go nowhere. A user of the number sets it:', {
        command: `curl -X PUT ${webhookAddress(of, context)} -H 'Authorization: Bearer TOKEN' -H 'Content-Type: application/json' -d '{"webhook":"https://example.com/hook"}'`,
      });
    }
    const at = await of.lastSuccess();
    return at === undefined
      ? notice(`${shownName(of)}: no delivery of the last 30 days got the status 200.`)
      : ok(`${shownName(of)}: ${span(context.now() - at)} ago (${dayAndTime(at)})`);
  },
} as const satisfies Record<string, Check<TargetSubject>>;
