import { accessReader } from '#shared/adapters/dynamodb/access.ts';
import { openTable } from '#shared/adapters/dynamodb/table.ts';
import { upstreamCalls } from '#shared/adapters/graph/calls.ts';
import { graphClient } from '#shared/adapters/graph/graph-client.ts';
import { accessTokenFrom, credentialsReader } from '#shared/adapters/secrets-manager/credentials.ts';
import { knownCallError } from '#shared/domain/calls/error-codes.ts';
import type { UpstreamCalls } from '#shared/domain/calls/upstream-calls.ts';
import type { WrapperDependencies } from '#shared/http/create-handler.ts';
import { requiredEnv } from './env.ts';
import { graphSettings } from './graph.ts';

/**
 * All upstream calls of one operation together take at most this long: two timeouts, and less than the gateway waits.
 */
const upstreamBudgetMs = 16_000;

/** What the call operations depend on; tests hand in their own. */
export interface CallDependencies extends WrapperDependencies {
  /** For one operation, whose time begins now. */
  upstream: () => UpstreamCalls;
}

/** The dependencies of a deployed function, by its environment. */
export function callRuntime(): CallDependencies {
  const now = Date.now;
  const settings = { ...graphSettings(), knownErrors: knownCallError };
  const accessToken = accessTokenFrom(credentialsReader(requiredEnv('UPSTREAM_SECRET_ID'), now));
  return {
    access: accessReader(openTable(requiredEnv('TABLE_NAME'))),
    now,
    upstream: () => upstreamCalls(graphClient(settings, accessToken, now() + upstreamBudgetMs, now)),
  };
}
