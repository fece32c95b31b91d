import { createPrivateKey, type KeyObject } from 'node:crypto';
import { sentFlowStore } from '#shared/adapters/dynamodb/flows/sent-flows.ts';
import { cachedByKey } from '#shared/base/cache.ts';
import type { RelayContext } from '#shared/domain/flow-endpoint/relay.ts';
import { provider } from '../provider.ts';
import { bucket } from '../resources/bucket.ts';
import { egress } from '../resources/egress.ts';
import { flowKeys } from '../resources/flow-keys.ts';
import { table } from '../resources/table.ts';
import { exchangeContext } from './exchange-context.ts';

/** A process caches the private keys of at most this many workspaces. */
const maxWorkspaces = 500;

/** What the relay between phones and customers' endpoints needs, including the keys that decrypt requests. */
export const relayContext = provider(
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
