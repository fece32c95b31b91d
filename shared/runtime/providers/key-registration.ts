import { numberStore } from '#shared/adapters/dynamodb/numbers.ts';
import { upstreamEncryption } from '#shared/adapters/graph/encryption.ts';
import { ensureKeys } from '#shared/domain/flow-endpoint/key-ring.ts';
import { ensureRegistered } from '#shared/domain/flow-endpoint/register-key.ts';
import { provider } from '../provider.ts';
import { flowKeys } from '../resources/flow-keys.ts';
import { table } from '../resources/table.ts';
import { upstream } from '../resources/upstream.ts';

/** All that has to do with keys takes at most this long: a lease lasts for that and for the publication. */
const budgetMs = 8_000;

/** Sees to it that phones encrypt what they send to a workspace's numbers for the workspace's key. */
export const ensureKeyRegistered = provider({ table, upstream, flowKeys }, ({ table, upstream, flowKeys }, now) => {
  const numbers = numberStore(table);
  return async (workspace: string): Promise<void> => {
    const encryption = upstreamEncryption(upstream.client(now() + budgetMs));
    const keys = await ensureKeys(workspace, { flowKeys, now });
    const active = (await numbers.listByWorkspace(workspace)).filter((number) => number.active);
    await ensureRegistered(active, keys, encryption);
  };
});
