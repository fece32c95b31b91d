import { upstreamMessages } from '#shared/adapters/graph/messages.ts';
import { knownMessageError } from '#shared/domain/messages/error-codes.ts';
import { provider } from '../provider.ts';
import { upstream as resource } from '../resources/upstream.ts';

/** Limits all upstream calls of one operation together. Allows two timeouts, and less than the gateway waits. */
const budgetMs = 16_000;

/** Creates a client for the upstream's messages. The operation's time limit starts with the creation. */
export const upstream = provider(
  { resource },
  ({ resource }, now) =>
    () =>
      upstreamMessages(resource.client(now() + budgetMs, knownMessageError)),
);
