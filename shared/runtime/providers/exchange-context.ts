import { createPrivateKey, type KeyObject } from 'node:crypto';
import { ownAppsReader } from '#shared/adapters/dynamodb/accounts/own-apps.ts';
import { flowJsonStore } from '#shared/adapters/dynamodb/flows/flow-json.ts';
import { flowStore } from '#shared/adapters/dynamodb/flows/flows.ts';
import { sentFlowStore } from '#shared/adapters/dynamodb/flows/sent-flows.ts';
import { numberStore } from '#shared/adapters/dynamodb/subscribers/numbers.ts';
import { secretStore } from '#shared/adapters/dynamodb/subscribers/secrets.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { createSender, type SenderSettings } from '#shared/adapters/egress/send.ts';
import { upstreamEncryption } from '#shared/adapters/graph/encryption.ts';
import { blobStore } from '#shared/adapters/s3/blobs.ts';
import type { Bucket } from '#shared/adapters/s3/bucket.ts';
import { cachedByKey } from '#shared/base/cache.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import { ownAppSecret } from '#shared/domain/access/upstream-credentials.ts';
import type { ExchangeContext } from '#shared/domain/flow-endpoint/make-exchange.ts';
import type { RelayContext } from '#shared/domain/flow-endpoint/relay.ts';
import { signingSecrets } from '#shared/domain/flow-endpoint/signing-secrets.ts';
import { outlineReader } from '#shared/domain/flows/outline-reader.ts';
import type { PhoneContext } from '#shared/domain/previews/exchange-as-phone.ts';
import type { PreviewRecord } from '#shared/domain/previews/preview.ts';
import { callTimeoutMs } from '#shared/domain/upstream/limits.ts';
import { readOutline } from '#shared/flow-json/response/outline.ts';
import { provider } from '../provider.ts';
import { bucket } from '../resources/bucket.ts';
import { egress } from '../resources/egress.ts';
import { flowKeys } from '../resources/flow-keys.ts';
import { table } from '../resources/table.ts';
import { upstream } from '../resources/upstream.ts';

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
