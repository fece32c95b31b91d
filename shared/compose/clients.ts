import type { Workspace } from '#shared/accounts/workspace.ts';
import { callBudgetMs, callTimeoutMs } from '#shared/base/time-limits.ts';
import { upstreamCallSettings } from '#shared/calls/call-settings-graph.ts';
import { upstreamCalls } from '#shared/calls/calls-graph.ts';
import { upstreamEncryption } from '#shared/flow-endpoint/encryption-graph.ts';
import { ensureKeys } from '#shared/flow-endpoint/key-ring.ts';
import { ensureRegistered } from '#shared/flow-endpoint/register-key.ts';
import type { GraphClient } from '#shared/graph/graph-client.ts';
import type { ErrorSubject } from '#shared/graph/upstream-error-codes.ts';
import { upstreamMedia, upstreamUploads } from '#shared/media/media-graph.ts';
import { mediaBudgetMs } from '#shared/media/media-limits.ts';
import { upstreamMessages } from '#shared/messages/messages-graph.ts';
import { flowKeys } from '#shared/operations/resources/flow-keys.ts';
import { table } from '#shared/operations/resources/table.ts';
import { upstream } from '#shared/operations/resources/upstream.ts';
import { provider } from '#shared/operations/serve.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';

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
