import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Workspace } from '#shared/accounts/workspace.ts';
import { blobStore } from '#shared/aws/bucket.ts';
import { cachedByKey } from '#shared/base/cache.ts';
import { callBudgetMs, callTimeoutMs } from '#shared/base/time-limits.ts';
import { announce } from '#shared/delivery/announce-target.ts';
import { createSender } from '#shared/egress/post.ts';
import { checkUrl } from '#shared/egress/url-rules.ts';
import { upstreamEncryption } from '#shared/flow-endpoint/encryption-graph.ts';
import { envelopeStore, exchangeStore } from '#shared/flow-endpoint/exchange-store.ts';
import { fileDownload } from '#shared/flow-endpoint/file-download-graph.ts';
import { flowKeyStore } from '#shared/flow-endpoint/flow-key-store.ts';
import { ensureKeys, ensureRegistered } from '#shared/flow-endpoint/flow-keys.ts';
import { type ExchangeContext, signingSecrets } from '#shared/flow-endpoint/make-exchange.ts';
import type { RelayContext } from '#shared/flow-endpoint/serve-request.ts';
import { readOutline as readOutlineOf } from '#shared/flow-json/response/endpoint-response.ts';
import { flowJsonStore } from '#shared/flows/flow-json-store.ts';
import { flowStore } from '#shared/flows/flow-store.ts';
import { upstreamFlows } from '#shared/flows/flows-graph.ts';
import { foreignFlowStore } from '#shared/flows/foreign-flow-store.ts';
import { outlineReader } from '#shared/flows/read-with-json.ts';
import type { FlowContext } from '#shared/flows/upstream-changes.ts';
import { flowEndpointPath, flowFilePath, pathOf } from '#shared/http/path.ts';
import { mediaBucket } from '#shared/media/media-bucket-store.ts';
import { mediaBudgetMs } from '#shared/media/media-limits.ts';
import { sentFlowStore } from '#shared/messages/sent-flow-store.ts';
import {
  bucket,
  mark,
  mediaHosts,
  publicUrl,
  queue,
  secretsClient,
  table,
  timeoutMs,
  upstream,
  urlRules,
} from '#shared/operations/compose.ts';
import type { Environment } from '#shared/operations/contract.ts';
import type { WrapperDependencies } from '#shared/operations/create-handler.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import { secretStore, targetStore } from '#shared/webhooks/subscriber-store.ts';

export const flows = (environment: Environment<'table'>) => flowStore(table(environment));

export const foreignFlows = (environment: Environment<'table'>) => foreignFlowStore(table(environment));

/** Finds a Flow by its id, in any workspace. */
export const findFlow = (environment: Environment<'table'>) => flows(environment).find;

export const flowJson = (environment: Environment<'table' | 'bucket'>) =>
  flowJsonStore(table(environment), blobStore(bucket(environment)));

/** Reads the outlines of Flows, and keeps those of the process's latest. */
export const readOutline = (environment: Environment<'table' | 'bucket'>) =>
  outlineReader({ flows: flows(environment), flowJson: flowJson(environment) });

export const sentFlows = (environment: Environment<'table'>) => sentFlowStore(table(environment));

export const envelopes = (environment: Environment<'table'>) => envelopeStore(table(environment));

export const exchanges = (environment: Environment<'table'>) => exchangeStore(table(environment));

export interface FlowDependencies extends WrapperDependencies {
  /** The address of the API, without a trailing slash. */
  baseUrl: string;
  contextFor: ReturnType<typeof contextFor>;
}

export const contextFor = (environment: Environment<'api' | 'table' | 'bucket' | 'queue' | 'upstream'>) => {
  const { client, headers } = upstream(environment);
  const targets = targetStore(table(environment));
  const store = flows(environment);
  return (workspace: Workspace, requestId: string): FlowContext => ({
    flows: store,
    flowJson: flowJson(environment),
    announce: (event) => announce(event, { targets, queue: queue(environment), now: Date.now }),
    upstream: upstreamFlows(client(workspace, Date.now() + callBudgetMs), headers),
    wabaId: workspace.waba_id,
    endpointUri: (flow) => `${publicUrl(environment)}${pathOf(flowEndpointPath, { flow })}`,
    holder: requestId,
    now: Date.now,
  });
};

/** Further dependencies of the operations that take a Flow's metadata. */
export interface FlowMetadataDependencies extends FlowDependencies {
  endpointUrlFault: ReturnType<typeof endpointUrlFault>;
}

/** Returns what is wrong with a Flow's `endpoint_url`, without a DNS lookup. */
export const endpointUrlFault = (environment: Environment<'customerUrls'>) => {
  const { allowList, isOwn } = urlRules(environment);
  return (url: string) => checkUrl(url, allowList, isOwn);
};

export const numbers = (environment: Environment<'table'>) => numberStore(table(environment));

const flowKeys = (environment: Environment<'flowKeys'>) =>
  flowKeyStore(environment.UPSTREAM_SECRET_ID, secretsClient(environment));

/** Ensures that phones use the workspace's key to encrypt what they send to its numbers. */
export const ensureKeyRegistered = (environment: Environment<'table' | 'upstream' | 'flowKeys'>) => {
  const { client } = upstream(environment);
  const { listByWorkspace } = numbers(environment);
  return async (workspace: Workspace): Promise<void> => {
    const encryption = upstreamEncryption(client(workspace, Date.now() + callTimeoutMs));
    const keys = await ensureKeys(workspace.id, { flowKeys: flowKeys(environment), now: Date.now });
    const active = (await listByWorkspace(workspace.id)).filter((number) => number.active);
    await ensureRegistered(active, keys, encryption);
  };
};

/** A larger response of an endpoint is a fault. */
const maxResponseBytes = 1024 * 1024;

export const exchangeContext = (environment: Environment<'table' | 'bucket' | 'egress'>): ExchangeContext => {
  const readFlow = readOutline(environment);
  const secrets = secretStore(table(environment));
  return {
    sender: createSender({ ...urlRules(environment), mark: mark(environment), maxResponseBytes }),
    timeoutMs: timeoutMs(environment),
    signingSecrets: (workspace) => signingSecrets(workspace, { secrets, now: Date.now }),
    // A Flow that was deleted meanwhile gets an empty outline, so no response can differ from it.
    outlineOf: async (flow) => (await readFlow(flow))?.outline ?? readOutlineOf({}),
    now: Date.now,
  };
};

/** A process caches the private keys of at most this many workspaces. */
const maxWorkspaces = 500;

export const privateKeys = (environment: Environment<'flowKeys'>) => {
  const store = flowKeys(environment);
  const read = async (workspace: string): Promise<KeyObject[]> =>
    (await store.read(workspace)).keys.map(({ private_key }) => createPrivateKey(private_key));
  return cachedByKey(read, Number.POSITIVE_INFINITY, Date.now, maxWorkspaces);
};

/** What the relay between phones and customers' endpoints needs, including the keys that decrypt requests. */
export const relayContext = (
  environment: Environment<'api' | 'table' | 'bucket' | 'egress' | 'flowKeys'>,
): RelayContext => ({
  ...exchangeContext(environment),
  privateKeys: privateKeys(environment),
  fileUrl: (flow, file) => `${publicUrl(environment)}${pathOf(flowFilePath, { flow, file })}`,
  sentFlows: sentFlows(environment),
});

/** Reads what contacts picked in Flows from the platform. */
export const download = (environment: Environment<'customerUrls' | 'mediaHosts'>) =>
  fileDownload({
    ...urlRules(environment),
    ...mediaHosts(environment),
    timeoutMs: mediaBudgetMs,
  });

/** Stores files that are too large for a response. */
export const fileCopies = (environment: Environment<'bucket'>) => mediaBucket(bucket(environment));
