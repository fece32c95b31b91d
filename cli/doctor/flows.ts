import { appSecrets } from '#shared/domain/access/upstream-credentials.ts';
import type { DynamicFlow } from '#shared/domain/flow-endpoint/make-exchange.ts';
import { sealRequest } from '#shared/domain/flow-endpoint/phone-envelope.ts';
import { hubSignature, hubSignatureHeader } from '#shared/domain/signing/hub-signature.ts';
import { requestVersion } from '#shared/flow-json/document/data-api-version.ts';
import { flowEndpointPath } from '#shared/http/contract/linked-paths.ts';
import { pathOf } from '#shared/http/contract/path.ts';
import { isSameUrl } from '../connect/address.ts';
import type { Upstream } from '../upstream.ts';
import { type Check, notice, notShown, ok, wrong } from './check.ts';
import {
  addressUnknown,
  type Fact,
  type FlowFacts,
  ifKnown,
  known,
  type Ping,
  type Reader,
  UnknownFact,
  unknown,
  untold,
} from './facts.ts';
import { judgeHealth } from './health.ts';

/** The platform waits as long. */
const pingTimeoutMs = 10_000;

/** Reads a Flow. `key` is the public key of its workspace, which encrypts the ping. */
export async function readFlow(
  flow: DynamicFlow,
  place: { workspaceName: string; baseUrl: string | undefined; key: Promise<Fact<string | undefined>> },
  upstream: Upstream,
  { read }: Reader,
): Promise<FlowFacts> {
  const { baseUrl, workspaceName, key } = place;
  const address = baseUrl === undefined ? undefined : `${baseUrl}${pathOf(flowEndpointPath, { flow: flow.id })}`;
  const platform = await read(() => upstream.management.flow(flow.wa_id));
  const ping = await read(async () => {
    const publicKey = known(await key);
    const [secret] = appSecrets(await upstream.credentials());
    if (address === undefined) throw new UnknownFact(untold(addressUnknown));
    if (publicKey === undefined) throw new UnknownFact(unknown('no number of the workspace has a key'));
    if (secret === undefined) throw new UnknownFact(unknown('no app secret is stored to sign with'));
    return pingAs({ address, publicKey, secret, version: requestVersion(ifKnown(platform)?.data_api_version) });
  });
  return { flow, subject: `Flow ${flow.name} (${workspaceName})`, address, platform, ping };
}

/** The public key that the numbers of a workspace share: that of the first number with one. */
export async function readWorkspaceKey(
  phoneNumberIds: readonly string[],
  { encryption }: Upstream,
): Promise<string | undefined> {
  for (const id of phoneNumberIds) {
    const registered = await encryption.registeredKey(id);
    if (typeof registered === 'object') return registered.publicKey;
  }
  return undefined;
}

/** Sends the health check of the platform (Meta, "Implementing endpoints for Flows") as the platform would. */
async function pingAs(as: { address: string; publicKey: string; secret: string; version: string }): Promise<Ping> {
  const { body, open } = sealRequest(JSON.stringify({ version: as.version, action: 'ping' }), as.publicKey, as.version);
  const headers = {
    'content-type': 'application/json',
    [hubSignatureHeader]: hubSignature(Buffer.from(body), as.secret),
  };
  const startedAt = performance.now();
  const took = () => Math.round(performance.now() - startedAt);
  try {
    const signal = AbortSignal.timeout(pingTimeoutMs);
    const response = await fetch(as.address, { method: 'POST', headers, body, redirect: 'manual', signal });
    const text = await response.text();
    return { status: response.status, isActive: response.status === 200 && saysActive(text, open), durationMs: took() };
  } catch {
    return { status: null, isActive: false, durationMs: took() };
  }
}

function saysActive(text: string, open: (text: string) => Buffer): boolean {
  try {
    return JSON.parse(open(text).toString())?.data?.status === 'active';
  } catch {
    return false;
  }
}

/** A slower endpoint makes people wait; the platform complains, too (Meta, "Monitor Flow performance"). */
export const slowPingMs = 1_000;

/** The platform ends an exchange after ten seconds. */
const worstPingMs = 5_000;

const isAboutVersion = ({ error_description = '' }: { error_description?: string | undefined }) =>
  /version/i.test(error_description);

export const flowChecks = {
  'flow-status': {
    title: 'status',
    says: 'the platform throttles or blocks a published Flow',
    remedy: 'make its endpoint faster and more reliable; the platform lifts it by itself',
    judge({ platform }) {
      const { status } = known(platform);
      if (status === undefined) return notShown;
      if (status === 'PUBLISHED') return ok('published');
      const cause = 'Its endpoint fails or is too slow.';
      if (status === 'THROTTLED') {
        return wrong(`The platform throttles the Flow: it can be sent ten times an hour. ${cause}`);
      }
      if (status === 'BLOCKED') return wrong(`The platform blocks the Flow: it cannot be sent or opened. ${cause}`);
      return wrong(`The platform says that the Flow is ${status}.`);
    },
  },
  'flow-version': {
    title: 'version',
    says: "the Flow's JSON version has expired or will expire",
    remedy: 'upload the Flow JSON in a newer version, and publish it as a new Flow',
    judge({ flow, platform }) {
      const { health_status: health, json_version } = known(platform);
      const complaint = (health?.entities ?? []).flatMap(({ errors = [] }) => errors).find(isAboutVersion);
      if (!complaint) return ok(`version ${json_version || flow.version || 'not shown'}`);
      const what = complaint.error_description?.replace(/^version: /i, '');
      return wrong(`${what} Upload its JSON in a newer version, and publish it as a new Flow.`);
    },
  },
  'flow-address': {
    title: 'endpoint address',
    says: 'the platform sends the exchanges of a Flow elsewhere',
    remedy: 'update the Flow, which sets its address again',
    judge({ address, platform }) {
      const { endpoint_uri } = known(platform);
      if (address === undefined) return notice("not checked, because the service's address is not known");
      if (endpoint_uri === undefined) return notShown;
      if (isSameUrl(endpoint_uri, address)) return ok(address);
      return wrong(
        `The platform asks ${endpoint_uri} for the data of the Flow, not ${address}. Update the Flow to set it again.`,
      );
    },
  },
  'flow-ping': {
    title: 'ping',
    says: "a ping through the service to the customer's endpoint fails or takes longer than a second",
    remedy: "read `GET …/flows/{flow}/endpoint/exchanges`, and fix the customer's endpoint",
    judge({ ping }) {
      const { status, isActive, durationMs } = known(ping);
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
  },
  'flow-health': {
    title: 'health',
    says: 'the platform measures that the endpoint is unavailable or slow',
    remedy: "fix the customer's endpoint",
    judge: ({ platform }) => judgeHealth(known(platform).health_status, ['FLOW'], (error) => !isAboutVersion(error)),
  },
} as const satisfies Record<string, Check<FlowFacts>>;
