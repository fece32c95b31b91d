import { numberStore } from '#shared/adapters/dynamodb/subscribers/numbers.ts';
import { upstreamCalls } from '#shared/adapters/graph/calls.ts';
import { upstreamEncryption } from '#shared/adapters/graph/encryption.ts';
import { upstreamMedia } from '#shared/adapters/graph/media.ts';
import { upstreamUploads } from '#shared/adapters/graph/media-uploads.ts';
import { upstreamMessages } from '#shared/adapters/graph/messages.ts';
import { knownCallError } from '#shared/domain/calls/error-codes.ts';
import { ensureKeys } from '#shared/domain/flow-keys/key-ring.ts';
import { ensureRegistered } from '#shared/domain/flow-keys/register-key.ts';
import { knownMessageError } from '#shared/domain/messages/error-codes.ts';
import { provider } from '../provider.ts';
import { flowKeys } from '../resources/flow-keys.ts';
import { table } from '../resources/table.ts';
import { upstream } from '../resources/upstream.ts';

/** Limits all upstream calls of one operation together. Allows two timeouts, and less than the gateway waits. */
const callBudgetMs = 16_000;

/** Creates a client for the upstream's calls. The operation's time limit starts with the creation. */
export const callClient = /* @__PURE__ */ provider(
  { upstream },
  ({ upstream }, now) =>
    () =>
      upstreamCalls(upstream.client(now() + callBudgetMs, knownCallError)),
);

/** Creates a client for the upstream's messages. The operation's time limit starts with the creation. */
export const messageClient = /* @__PURE__ */ provider(
  { upstream },
  ({ upstream }, now) =>
    () =>
      upstreamMessages(upstream.client(now() + callBudgetMs, knownMessageError)),
);

/** Creates a client for the upstream's media. The operation's time limit starts with the creation. */
export const mediaClient = /* @__PURE__ */ provider(
  { upstream },
  ({ upstream }, now) =>
    () =>
      upstreamMedia(upstream.client(now() + callBudgetMs)),
);

/** The gateway waits 30 s and the function may run for 29; the work after the upload needs some of that. */
const uploadBudgetMs = 25_000;

/** Creates a client for an upload of media. Its time limit starts with the creation. */
export const uploadClient = /* @__PURE__ */ provider(
  { upstream },
  ({ upstream }, now) =>
    () =>
      upstreamUploads(upstream.client(now() + uploadBudgetMs)),
);

/** Limits all work on keys: a lease must outlast it and the publication. */
const keyBudgetMs = 8_000;

/** Ensures that phones use the workspace's key to encrypt what they send to its numbers. */
export const ensureKeyRegistered = /* @__PURE__ */ provider(
  { table, upstream, flowKeys },
  ({ table, upstream, flowKeys }, now) => {
    const numbers = numberStore(table);
    return async (workspace: string): Promise<void> => {
      const encryption = upstreamEncryption(upstream.client(now() + keyBudgetMs));
      const keys = await ensureKeys(workspace, { flowKeys, now });
      const active = (await numbers.listByWorkspace(workspace)).filter((number) => number.active);
      await ensureRegistered(active, keys, encryption);
    };
  },
);
