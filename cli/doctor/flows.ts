import { isSameUrl } from '../connect/address.ts';
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
    const cause = 'Its endpoint fails or is too slow.';
    if (status === 'THROTTLED') {
      return wrong(`The platform throttles the Flow: it can be sent ten times an hour. ${cause}`);
    }
    if (status === 'BLOCKED') return wrong(`The platform blocks the Flow: it cannot be sent or opened. ${cause}`);
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
    return wrong(
      `The platform asks ${endpoint_uri} for the data of the Flow, not ${address}. Update the Flow to set it again.`,
    );
  },
  async 'flow-ping'({ hasNumber, ping }) {
    if (!hasNumber)
      return notice('not checked, because the workspace has no active number, whose key could encrypt a ping');
    const { status, isActive, durationMs } = await ping();
    const look = "The Flow's exchanges say why: GET …/flows/{flow}/endpoint/exchanges.";
    if (status === null) {
      return wrong('A ping through the service got no response within 10 seconds. Does the service run?');
    }
    if (!isActive && status === 200) {
      return wrong(
        `A ping got a response that is not {"data": {"status": "active"}}, or not encrypted for it. ${look}`,
      );
    }
    if (!isActive) {
      return wrong(`A ping through the service to the customer's endpoint got the status ${status}. ${look}`);
    }
    if (durationMs >= worstPingMs) {
      return wrong(`A ping took ${durationMs} ms; the platform ends exchanges after 10 seconds.`);
    }
    return durationMs >= slowPingMs
      ? notice(`A ping took ${durationMs} ms. People wait as long for each screen.`)
      : ok(`${durationMs} ms`);
  },
  'flow-health': async ({ platform }) =>
    judgeHealth((await platform()).health_status, ['FLOW'], (error) => !isAboutVersion(error)),
} as const satisfies Record<string, Check<FlowSubject>>;
