import type { PlatformFlow } from '#cli/platform/objects.ts';
import { appSecrets } from '#shared/domain/access/upstream-credentials.ts';
import type { DynamicFlow } from '#shared/domain/flow-endpoint/make-exchange.ts';
import { sealRequest } from '#shared/domain/flow-endpoint/phone-envelope.ts';
import { hubSignature, hubSignatureHeader } from '#shared/domain/signing/hub-signature.ts';
import { requestVersion } from '#shared/flow-json/document/data-api-version.ts';
import { flowEndpointPath } from '#shared/http/contract/linked-paths.ts';
import { pathOf } from '#shared/http/contract/path.ts';
import type { Upstream } from '../../upstream.ts';
import { addressUnknown, type Fact, type Reader, unknown, untold } from './fact.ts';

/** A Flow in use that asks an endpoint for data. */
export interface FlowFacts {
  flow: DynamicFlow;
  subject: string;
  /** Where the platform should send its exchanges; undefined if the address of the service is not known. */
  address: string | undefined;
  platform: Fact<PlatformFlow>;
  ping: Fact<Ping>;
}

/** The response to a ping that went the way of a phone's request. */
export interface Ping {
  /** Of the service, which passes on that of the customer's endpoint; null without a response. */
  status: number | null;
  /** Whether it could be decrypted and says that the endpoint is active. */
  isActive: boolean;
  durationMs: number;
}

/** The platform waits as long. */
const pingTimeoutMs = 10_000;

/** Reads a Flow. `key` is the public key of its workspace, which encrypts the ping. */
export async function readFlow(
  flow: DynamicFlow,
  place: { workspaceName: string; baseUrl: string | undefined; key: Promise<Fact<string | undefined>> },
  upstream: Upstream,
  { read, readFrom }: Reader,
): Promise<FlowFacts> {
  const { baseUrl, workspaceName, key } = place;
  const address = baseUrl === undefined ? undefined : `${baseUrl}${pathOf(flowEndpointPath, { flow: flow.id })}`;
  const platform = await read(() => upstream.management.flow(flow.wa_id));
  const ping = await readFrom(await key, async (publicKey) => {
    const [secret] = appSecrets(await upstream.credentials());
    const version = platform.isKnown ? platform.value.data_api_version : undefined;
    return { publicKey, secret, version };
  });
  return {
    flow,
    subject: `Flow ${flow.name} (${workspaceName})`,
    address,
    platform,
    ping: await pinged(ping, address, read),
  };
}

interface PingMaterial {
  publicKey: string | undefined;
  secret: string | undefined;
  version: string | undefined;
}

async function pinged(
  material: Fact<PingMaterial>,
  address: string | undefined,
  read: Reader['read'],
): Promise<Fact<Ping>> {
  if (!material.isKnown) return material;
  const { publicKey, secret, version } = material.value;
  if (address === undefined) return untold(addressUnknown);
  if (publicKey === undefined) return unknown('no number of the workspace has a key');
  if (secret === undefined) return unknown('no app secret is stored to sign with');
  return read(() => pingAs({ address, publicKey, secret, version: requestVersion(version) }));
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
