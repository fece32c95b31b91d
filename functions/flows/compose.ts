import type { Workspace } from '#shared/accounts/workspace.ts';
import { blobStore } from '#shared/aws/bucket.ts';
import { callBudgetMs, callTimeoutMs } from '#shared/base/time-limits.ts';
import { announce } from '#shared/delivery/announce-target.ts';
import { checkUrl } from '#shared/egress/url-rules.ts';
import { upstreamEncryption } from '#shared/flow-endpoint/encryption-graph.ts';
import { exchangeStore } from '#shared/flow-endpoint/exchange-store.ts';
import { flowKeyStore } from '#shared/flow-endpoint/flow-key-store.ts';
import { ensureKeys, ensureRegistered } from '#shared/flow-endpoint/flow-keys.ts';
import { flowJsonStore } from '#shared/flows/flow-json-store.ts';
import { flowStore } from '#shared/flows/flow-store.ts';
import { upstreamFlows } from '#shared/flows/flows-graph.ts';
import { foreignFlowStore } from '#shared/flows/foreign-flow-store.ts';
import { outlineReader } from '#shared/flows/read-with-json.ts';
import type { FlowContext } from '#shared/flows/upstream-changes.ts';
import { flowEndpointPath, pathOf } from '#shared/http/path.ts';
import { sentFlowStore } from '#shared/messages/sent-flow-store.ts';
import { bucket, publicUrl, queue, secretsClient, table, upstream, urlRules } from '#shared/operations/compose.ts';
import type { Environment } from '#shared/operations/contract.ts';
import type { WrapperDependencies } from '#shared/operations/create-handler.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import { targetStore } from '#shared/webhooks/subscriber-store.ts';

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

export const exchanges = (environment: Environment<'table'>) => exchangeStore(table(environment));

export const flowKeys = (environment: Environment<'flowKeys'>) =>
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
