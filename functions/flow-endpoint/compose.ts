import { createPrivateKey, type KeyObject } from 'node:crypto';
import { flowKeys, readOutline, sentFlows } from '#functions/flows/compose.ts';
import { cachedByKey } from '#shared/base/cache.ts';
import { createSender } from '#shared/egress/post.ts';
import { envelopeStore } from '#shared/flow-endpoint/exchange-store.ts';
import { fileDownload } from '#shared/flow-endpoint/file-download-graph.ts';
import { type ExchangeContext, signingSecrets } from '#shared/flow-endpoint/make-exchange.ts';
import type { RelayContext } from '#shared/flow-endpoint/serve-request.ts';
import { readOutline as readOutlineOf } from '#shared/flow-json/response/endpoint-response.ts';
import { flowFilePath, pathOf } from '#shared/http/path.ts';
import { mediaBucket } from '#shared/media/media-bucket-store.ts';
import { mediaBudgetMs } from '#shared/media/media-limits.ts';
import { bucket, mark, mediaHosts, publicUrl, table, timeoutMs, urlRules } from '#shared/operations/compose.ts';
import type { Environment } from '#shared/operations/contract.ts';
import { secretStore } from '#shared/webhooks/subscriber-store.ts';

export const envelopes = (environment: Environment<'table'>) => envelopeStore(table(environment));

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
