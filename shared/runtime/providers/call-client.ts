import { upstreamCalls } from '#shared/adapters/graph/calls.ts';
import { knownCallError } from '#shared/domain/calls/error-codes.ts';
import { provider } from '../provider.ts';
import { upstream as resource } from '../resources/upstream.ts';

/** All upstream calls of one operation together take at most this long: two timeouts, and less than the gateway waits. */
const budgetMs = 16_000;

/** The calls of the upstream, for one operation whose time begins now. */
export const upstream = provider(
  { resource },
  ({ resource }, now) =>
    () =>
      upstreamCalls(resource.client(now() + budgetMs, knownCallError)),
);
