import { isSameUrl } from '../../connect/address.ts';
import type { PlatformFlow } from '../../platform/objects.ts';
import { derive } from '../facts/fact.ts';
import type { FlowFacts, Ping } from '../facts/flows.ts';
import { type Finding, type Judgement, judge, notice, ok, wrong } from '../finding.ts';
import { judgeHealth } from './health.ts';

/** A slower endpoint makes people wait; the platform complains, too (Meta, "Monitor Flow performance"). */
export const slowPingMs = 1_000;

/** The platform ends an exchange after ten seconds. */
const worstPingMs = 5_000;

export function checkFlow({ flow, subject, address, platform, ping }: FlowFacts): Finding[] {
  const health = derive(platform, ({ health_status }) => health_status);
  const version = ({ error_description = '' }: { error_description?: string | undefined }) =>
    isAboutVersion(error_description);
  return [
    judge('flow-status', subject, platform, judgeStatus),
    judge('flow-version', subject, health, (value) => {
      const complaints = (value?.entities ?? []).flatMap(({ errors = [] }) => errors).filter(version);
      const [complaint] = complaints;
      return complaint
        ? wrong(
            `${complaint.error_description?.replace(/^version: /i, '')} Upload its JSON in a newer version, and publish ` +
              'it as a new Flow.',
          )
        : ok(`version ${(platform.isKnown && platform.value.json_version) || flow.version || 'not shown'}`);
    }),
    judge('flow-address', subject, platform, ({ endpoint_uri }) => {
      if (address === undefined) return notice("not checked, because the service's address is not known");
      if (endpoint_uri === undefined) return notice('not checked, because the platform does not show it');
      return isSameUrl(endpoint_uri, address)
        ? ok(address)
        : wrong(
            `The platform asks ${endpoint_uri} for the data of the Flow, not ${address}. Update the Flow to set it again.`,
          );
    }),
    judge('flow-ping', subject, ping, judgePing),
    judge('flow-health', subject, health, (value) => judgeHealth(value, ['FLOW'], (error) => !version(error))),
  ];
}

const isAboutVersion = (description: string) => /version/i.test(description);

function judgeStatus({ status }: PlatformFlow): Judgement {
  switch (status) {
    case 'PUBLISHED':
      return ok('published');
    case undefined:
      return notice('not checked, because the platform does not show it');
    case 'THROTTLED':
      return wrong(
        'The platform throttles the Flow: it can be sent ten times an hour. Its endpoint fails or is too slow.',
      );
    case 'BLOCKED':
      return wrong('The platform blocks the Flow: it cannot be sent or opened. Its endpoint fails or is too slow.');
    default:
      return wrong(`The platform says that the Flow is ${status}.`);
  }
}

function judgePing({ status, isActive, durationMs }: Ping): Judgement {
  const look = "The Flow's exchanges say why: GET …/flows/{flow}/endpoint/exchanges.";
  if (status === null)
    return wrong('A ping through the service got no response within 10 seconds. Does the service run?');
  if (!isActive) {
    return wrong(
      status === 200
        ? `A ping got a response that is not {"data": {"status": "active"}}, or not encrypted for it. ${look}`
        : `A ping through the service to the customer's endpoint got the status ${status}. ${look}`,
    );
  }
  if (durationMs >= worstPingMs)
    return wrong(`A ping took ${durationMs} ms; the platform ends exchanges after 10 seconds.`);
  if (durationMs >= slowPingMs) return notice(`A ping took ${durationMs} ms. People wait as long for each screen.`);
  return ok(`${durationMs} ms`);
}
