import { numberStore } from '#shared/adapters/dynamodb/subscribers/numbers.ts';
import { upstreamCallSettings } from '#shared/adapters/graph/call-settings.ts';
import { upstreamCalls } from '#shared/adapters/graph/calls.ts';
import { upstreamEncryption } from '#shared/adapters/graph/encryption.ts';
import type { GraphClient } from '#shared/adapters/graph/graph-client.ts';
import { upstreamMedia } from '#shared/adapters/graph/media.ts';
import { upstreamUploads } from '#shared/adapters/graph/media-uploads.ts';
import { upstreamMessages } from '#shared/adapters/graph/messages.ts';
import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import { ensureKeys } from '#shared/domain/flow-keys/key-ring.ts';
import { ensureRegistered } from '#shared/domain/flow-keys/register-key.ts';
import { mediaBudgetMs } from '#shared/domain/media/limits.ts';
import type { ErrorSubject } from '#shared/domain/upstream/error-codes.ts';
import { callBudgetMs, callTimeoutMs } from '#shared/domain/upstream/limits.ts';
import { provider } from '../provider.ts';
import { flowKeys } from '../resources/flow-keys.ts';
import { table } from '../resources/table.ts';
import { upstream } from '../resources/upstream.ts';

/** Creates a client for one operation on a workspace. Its time limit starts with the creation. */
const clientOf = <Client>(create: (call: GraphClient) => Client, budgetMs: number, subject?: ErrorSubject) =>
  provider(
    { upstream },
    ({ upstream }, now) =>
      (workspace: Workspace) =>
        create(upstream.client(workspace, now() + budgetMs, subject)),
  );

export const callClient = /* @__PURE__ */ clientOf(upstreamCalls, callBudgetMs, 'call');
export const callSettingsClient = /* @__PURE__ */ clientOf(upstreamCallSettings, callBudgetMs, 'call');
export const messageClient = /* @__PURE__ */ clientOf(upstreamMessages, callBudgetMs, 'message');
export const mediaClient = /* @__PURE__ */ clientOf(upstreamMedia, callBudgetMs);
export const uploadClient = /* @__PURE__ */ clientOf(upstreamUploads, mediaBudgetMs, 'media');

/** Ensures that phones use the workspace's key to encrypt what they send to its numbers. */
export const ensureKeyRegistered = /* @__PURE__ */ provider(
  { table, upstream, flowKeys },
  ({ table, upstream, flowKeys }, now) => {
    const numbers = numberStore(table);
    return async (workspace: Workspace): Promise<void> => {
      const encryption = upstreamEncryption(upstream.client(workspace, now() + callTimeoutMs));
      const keys = await ensureKeys(workspace.id, { flowKeys, now });
      const active = (await numbers.listByWorkspace(workspace.id)).filter((number) => number.active);
      await ensureRegistered(active, keys, encryption);
    };
  },
);
