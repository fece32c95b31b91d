import { numberStore } from '#shared/adapters/dynamodb/subscribers/numbers.ts';
import { upstreamEncryption } from '#shared/adapters/graph/encryption.ts';
import { ensureKeys } from '#shared/domain/flow-keys/key-ring.ts';
import { ensureRegistered } from '#shared/domain/flow-keys/register-key.ts';
import { provider } from '../provider.ts';
import { flowKeys } from '../resources/flow-keys.ts';
import { table } from '../resources/table.ts';
import { upstream } from '../resources/upstream.ts';

/** Limits all work on keys: a lease must outlast it and the publication. */
const budgetMs = 8_000;

/** Ensures that phones use the workspace's key to encrypt what they send to its numbers. */
export const ensureKeyRegistered = provider({ table, upstream, flowKeys }, ({ table, upstream, flowKeys }, now) => {
  const numbers = numberStore(table);
  return async (workspace: string): Promise<void> => {
    const encryption = upstreamEncryption(upstream.client(now() + budgetMs));
    const keys = await ensureKeys(workspace, { flowKeys, now });
    const active = (await numbers.listByWorkspace(workspace)).filter((number) => number.active);
    await ensureRegistered(active, keys, encryption);
  };
});
