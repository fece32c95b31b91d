import { createPrivateKey, type KeyObject } from 'node:crypto';
import { ownAppsReader } from '#shared/accounts/own-apps-store.ts';
import { ownAppSecret } from '#shared/accounts/upstream-credentials.ts';
import { type Bucket, blobStore } from '#shared/aws/bucket.ts';
import type { Table } from '#shared/aws/table.ts';
import { cachedByKey } from '#shared/base/cache.ts';
import type { Clock } from '#shared/base/time.ts';
import { callTimeoutMs } from '#shared/base/time-limits.ts';
import { createSender, type SenderSettings } from '#shared/egress/sender.ts';
import { upstreamEncryption } from '#shared/flow-endpoint/encryption-graph.ts';
import { signingSecrets } from '#shared/flow-endpoint/endpoint-secrets.ts';
import type { ExchangeContext } from '#shared/flow-endpoint/make-exchange.ts';
import type { RelayContext } from '#shared/flow-endpoint/relay.ts';
import { readOutline } from '#shared/flow-json/response/outline.ts';
import { flowJsonStore } from '#shared/flows/flow-json-store.ts';
import { flowStore } from '#shared/flows/flow-store.ts';
import { outlineReader } from '#shared/flows/read-with-json.ts';
import { sentFlowStore } from '#shared/messages/sent-flow-store.ts';
import { bucket } from '#shared/operations/resources/bucket.ts';
import { egress } from '#shared/operations/resources/egress.ts';
import { flowKeys } from '#shared/operations/resources/flow-keys.ts';
import { table } from '#shared/operations/resources/table.ts';
import { upstream } from '#shared/operations/resources/upstream.ts';
import { provider } from '#shared/operations/serve.ts';
import type { PhoneContext } from '#shared/previews/exchange-as-phone.ts';
import type { PreviewRecord } from '#shared/previews/preview.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import { secretStore } from '#shared/webhooks/secret-store.ts';

/** A larger response of an endpoint is a fault. */
const maxEndpointResponseBytes = 1024 * 1024;

interface Opened {
  table: Table;
  bucket: Bucket;
  egress: Pick<SenderSettings, 'allowList' | 'isOwn' | 'mark'> & { timeoutMs: number };
}

/** Builds what an exchange with a customer's endpoint needs. */
export function exchangeContext({ table, bucket, egress }: Opened, now: Clock): ExchangeContext {
  const readFlow = outlineReader({ flows: flowStore(table), flowJson: flowJsonStore(table, blobStore(bucket)) });
  const secrets = secretStore(table);
  const { timeoutMs, allowList, isOwn, mark } = egress;
  return {
    sender: createSender({ allowList, isOwn, mark, maxResponseBytes: maxEndpointResponseBytes }),
    timeoutMs,
    signingSecrets: (workspace) => signingSecrets(workspace, { secrets, now }),
    // A Flow that was deleted meanwhile gets an empty outline, so no response can differ from it.
    outlineOf: async (flow) => (await readFlow(flow))?.outline ?? readOutline({}),
    now,
  };
}

/** A process caches the private keys of at most this many workspaces. */
const maxWorkspaces = 500;

/** What the relay between phones and customers' endpoints needs, including the keys that decrypt requests. */
export const relayContext = /* @__PURE__ */ provider(
  { table, bucket, egress, flowKeys },
  ({ flowKeys, ...opened }, now): RelayContext => {
    async function privateKeys(workspace: string): Promise<KeyObject[]> {
      const { keys } = await flowKeys.read(workspace);
      return keys.map(({ private_key }) => createPrivateKey(private_key));
    }
    const cachedKeys = cachedByKey(privateKeys, Number.POSITIVE_INFINITY, now, maxWorkspaces);
    return { ...exchangeContext(opened, now), privateKeys: cachedKeys, sentFlows: sentFlowStore(opened.table) };
  },
);

/** What a preview page needs to query an endpoint as a phone would. */
export const phone = /* @__PURE__ */ provider(
  { table, bucket, egress, upstream },
  ({ upstream, ...opened }, now): PhoneContext => {
    const numbers = numberStore(opened.table);
    const ownApps = ownAppsReader(opened.table, now);
    const ownOf = async ({ workspace: id }: PreviewRecord) => (await ownApps()).get(id);
    const ownerOf = async (preview: PreviewRecord) => (await ownOf(preview)) ?? { id: preview.workspace };
    return {
      exchange: exchangeContext(opened, now),
      appSecret: async (preview) => ownAppSecret(await ownOf(preview), upstream.credentialsOf),
      async publicKey(preview) {
        const number = await numbers.get(preview.number);
        if (!number?.active) return undefined;
        const client = upstream.client(await ownerOf(preview), now() + callTimeoutMs);
        const registered = await upstreamEncryption(client).registeredKey(number.phone_number_id);
        return typeof registered === 'string' ? undefined : registered.publicKey;
      },
    };
  },
);
