import { isSameUrl } from '../platform/event-address.ts';
import { type Check, notice, notShown, ok, wrong } from './check.ts';
import { judgeHealth } from './health.ts';
import type { FlowSubject } from './subjects.ts';

/** A slower endpoint makes people wait; the platform complains, too (Meta, "Monitor Flow performance"). */
const slowPingMs = 1_000;

/** The platform ends an exchange after ten seconds. */
const worstPingMs = 5_000;

const isAboutVersion = ({ error_description = '' }: { error_description?: string | undefined }) =>
  /version/i.test(error_description);

export const flowChecks = {
  async 'flow-status'({ platform }) {
    const { status } = await platform();
    if (status === undefined) return notShown;
    if (status === 'PUBLISHED') return ok('published');
    const because = 'because its endpoint fails or is too slow';
    if (status === 'THROTTLED') return wrong(`The platform throttles the Flow to ten messages an hour, ${because}.`);
    if (status === 'BLOCKED') return wrong(`The platform blocks the Flow, ${because}: it cannot be sent or opened.`);
    return wrong(`The platform says that the Flow is ${status}.`);
  },
  async 'flow-version'({ flow, platform }) {
    const { health_status: health, json_version } = await platform();
    const complaint = (health?.entities ?? []).flatMap(({ errors = [] }) => errors).find(isAboutVersion);
    if (!complaint) return ok(`version ${json_version || flow.version || 'not shown'}`);
    const what = complaint.error_description?.replace(/^version: /i, '');
    return wrong(`${what} Upload its JSON in a newer version, and publish it as a new Flow.`);
  },
  async 'flow-address'({ address, platform }) {
    const { endpoint_uri } = await platform();
    if (endpoint_uri === undefined) return notShown;
    if (isSameUrl(endpoint_uri, address)) return ok(address);
    return wrong(`The platform asks ${endpoint_uri} for the data, not ${address}. Update the Flow to set it again.`);
  },
  async 'flow-ping'({ hasNumber, ping }) {
    if (!hasNumber) return notice('not checked, because no active number has a key that could encrypt a ping');
    const { status, isActive, durationMs } = await ping();
    if (status === null) return wrong('A ping got no response within 10 seconds. Does the service run?');
    if (!isActive) {
      const what = status === 200 ? 'a response that is not {"data": {"status": "active"}}' : `the status ${status}`;
      return wrong(`A ping got ${what}. The exchanges say why: GET …/flows/{flow}/endpoint/exchanges.`);
    }
    const text = `A ping took ${durationMs} ms; the platform ends exchanges after 10 seconds.`;
    if (durationMs >= worstPingMs) return wrong(text);
    return durationMs >= slowPingMs ? notice(text) : ok(`${durationMs} ms`);
  },
  'flow-health': async ({ platform }) =>
    judgeHealth((await platform()).health_status, ['FLOW'], (error) => !isAboutVersion(error)),
} as const satisfies Record<string, Check<FlowSubject>>;
