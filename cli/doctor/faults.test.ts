import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SetupFault, setupFaults } from '#local/graph/core/setup-faults.ts';
import { parseCommand, shellWords } from '#support/command-line.ts';
import { type DoctorWorld, startDoctorWorld } from '#support/worlds/doctor-world.ts';
import type { Service } from '../service.ts';
import { programName } from '../terminal/hints.ts';
import type { Finding } from './check.ts';
import type { CheckName } from './checks.ts';
import { diagnose } from './diagnose.ts';

/** What doctor says about each fault of the platform: the check, its status, and words of the text. */
const sayings: Readonly<Record<SetupFault, readonly [CheckName, 'wrong' | 'notice', RegExp]>> = {
  token_invalid: ['token', 'wrong', /rejects the access token.*\(\(#190\) /],
  token_expires_soon: ['token-expiry', 'wrong', /expires in \d+ days/],
  token_expired: ['token', 'wrong', /has expired/],
  permission_missing: ['permissions', 'wrong', /lacks the permission whatsapp_business_messaging/],
  management_permission_missing: ['permissions', 'wrong', /lacks the permission whatsapp_business_management/],
  token_of_other_app: [
    'app-secret',
    'wrong',
    /token belongs to another app, Other app|is not that of the app Other app/,
  ],
  token_without_account: ['account-access', 'wrong', /was not granted the business account 102290129340398/],
  app_secret_wrong: ['app-secret', 'wrong', /is not that of the app (Local|Other) app/],
  app_not_subscribed: ['subscription', 'wrong', /is not subscribed to the account/],
  messages_field_missing: ['app-fields', 'wrong', /field messages/],
  calls_field_missing: ['app-fields', 'wrong', /field calls/],
  flows_field_missing: ['app-fields', 'wrong', /field flows/],
  app_callback_missing: ['app-callback', 'wrong', /sends its events nowhere/],
  app_callback_elsewhere: ['app-callback', 'wrong', /sends its events elsewhere/],
  account_callback_elsewhere: ['account-callback', 'wrong', /override of the account sends its events elsewhere/],
  number_callback_elsewhere: [
    'number-callback',
    'wrong',
    /override of the number sends its messages and calls elsewhere/,
  ],
  number_not_registered: ['registration', 'wrong', /is not registered/],
  number_not_verified: ['verification', 'notice', /Nobody has proved by code/],
  number_restricted: ['number-status', 'wrong', /is restricted/],
  number_flagged: ['number-status', 'wrong', /is flagged/],
  quality_red: ['quality', 'wrong', /quality is low/],
  quality_yellow: ['quality', 'notice', /quality is medium/],
  limit_nearly_reached: ['limits', 'wrong', /has used 92 %/],
  display_name_declined: ['display-name', 'wrong', /is DECLINED/],
  account_review_rejected: ['account-review', 'wrong', /ended with REJECTED/],
  business_not_verified: ['business-verification', 'notice', /is not verified/],
  payment_missing: ['payment', 'wrong', /no valid payment method \(141006\)/],
  account_restricted: ['account-health', 'wrong', /WABA is BLOCKED. 131031/],
  calling_off: ['calling', 'wrong', /the platform has them off/],
  sip_on: ['sip', 'notice', /go over SIP/],
  calls_restricted: ['call-restrictions', 'wrong', /RESTRICTED_BUSINESS_INITIATED_CALLING until/],
  key_missing: ['flow-key', 'wrong', /has no Flow key/],
  key_mismatch: ['flow-key', 'wrong', /rejects the signature/],
  other_key: ['flow-key', 'wrong', /is not ours/],
  flow_endpoint_unavailable: ['flow-health', 'wrong', /did not respond to the health check/],
  flow_endpoint_slow: ['flow-health', 'notice', /latency of the endpoint/],
  flow_throttled: ['flow-status', 'wrong', /throttles the Flow/],
  flow_blocked: ['flow-status', 'wrong', /blocks the Flow/],
  flow_version_expired: ['flow-version', 'wrong', /^The version of the Flow JSON has expired/],
  clock_off: ['clock', 'wrong', /clock of this machine is \d+ minutes behind/],
  graph_unreachable: ['platform', 'wrong', /the platform did not respond/],
  rate_limited: ['limits', 'wrong', /has used 100 %/],
};

/** Faults that are only worth a notice where no Flow is in use. */
const forFlows: readonly SetupFault[] = ['flows_field_missing', 'key_missing', 'key_mismatch', 'other_key'];

/** What follows from a fault besides. Everything else must stay well, or be unknown. */
const consequences: Partial<Record<SetupFault, readonly CheckName[]>> = {
  business_not_verified: ['account-health'],
  display_name_declined: ['number-health'],
  number_restricted: ['number-health'],
  account_review_rejected: ['account-health'],
  other_key: ['flow-ping'],
  flow_throttled: ['flow-health'],
  flow_blocked: ['flow-health'],
};

/** One world with a Flow, and one in which there is none. */
let worlds: { world: DoctorWorld; service: Service }[];

beforeAll(async () => {
  const starting = [true, false].map((hasFlow) => startDoctorWorld({ hasFlow }));
  worlds = (await Promise.all(starting)).map((world) => ({ world, service: remembering(world.open()) }));
});
afterAll(() => Promise.all(worlds.map(({ world }) => world.close())));

const keyOf = ({ check, status, subject }: Finding) => `${check} ${status} ${subject.split(' ')[0]}`;

/** What doctor always has to remark about a world. */
const remarksOn = async (lane: number) =>
  new Set((await diagnosed(lane)).filter(({ status }) => status !== 'ok').map(keyOf));

async function diagnosed(lane: number, ...faults: SetupFault[]): Promise<Finding[]> {
  const { world, service } = worlds[lane] ?? fail();
  await world.break(...faults);
  const { value, hasFindings } = await diagnose(service, { number: undefined, fix: false });
  const findings = Reflect.get(value, 'findings') as Finding[];
  expect(hasFindings).toBe(findings.some(({ status }) => status === 'wrong' || status === 'unknown'));
  return findings;
}

/** The service whose table and keys are read once: only the platform changes here, and the other reads take longest. */
function remembering(service: Service): Service {
  const upstream = service.upstream();
  const listFlows = once((query: Parameters<Service['flows']['list']>[0]) =>
    Array.fromAsync(service.flows.list(query)),
  );
  return {
    ...service,
    workspaces: { ...service.workspaces, list: once(service.workspaces.list) },
    numbers: { ...service.numbers, listByWorkspace: once(service.numbers.listByWorkspace) },
    targets: { ...service.targets, read: once(service.targets.read) },
    eventNotes: { ...service.eventNotes, get: once(service.eventNotes.get), unknownNumbers: async () => [] },
    flows: {
      ...service.flows,
      async *list(query) {
        yield* await listFlows(query);
      },
    },
    upstream: () => ({ ...upstream, flowKeys: { ...upstream.flowKeys, read: once(upstream.flowKeys.read) } }),
  };
}

function once<A extends unknown[], R>(read: (...args: A) => R): (...args: A) => R {
  const results = new Map<string, R>();
  return (...args) => {
    const key = JSON.stringify(args);
    const result = results.get(key) ?? read(...args);
    results.set(key, result);
    return result;
  };
}

function fail(): never {
  throw new Error('There is no such world');
}

const isSaid = (fault: SetupFault, { check, status, text }: Finding, expected: Finding['status'] = sayings[fault][1]) =>
  check === sayings[fault][0] && status === expected && sayings[fault][2].test(text);

describe.each([
  ['', 0],
  [' where no Flow is in use', 1],
])('a fault of the platform%s', (_, lane) => {
  let remarks: Set<string>;
  beforeAll(async () => {
    remarks = await remarksOn(lane);
  });

  const hasNoFlow = lane === 1;
  const faults = hasNoFlow ? forFlows : setupFaults;

  it.each(faults)('is named, and no other is: %s', async (fault) => {
    const findings = await diagnosed(lane, fault);
    const expected = hasNoFlow && forFlows.includes(fault) ? 'notice' : undefined;
    expect(findings.filter((finding) => isSaid(fault, finding, expected))).not.toEqual([]);
    const others = findings.filter(
      (finding) =>
        !['ok', 'unknown'].includes(finding.status) &&
        !remarks.has(keyOf(finding)) &&
        finding.check !== sayings[fault][0] &&
        !consequences[fault]?.some((check) => check === finding.check),
    );
    expect(others).toEqual([]);
    for (const { command } of findings.filter(({ command }) => command?.startsWith(programName))) {
      const words = shellWords(String(command).slice(programName.length));
      expect(await parseCommand(...words), command).toHaveProperty('options');
    }
  });
});
