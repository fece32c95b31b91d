import { requiredEnv } from '../env.ts';
import type { WrapperDependencies } from '../http/create-handler.ts';
import { accessReader } from '../storage/access.ts';
import { openTable } from '../storage/table.ts';
import { type UpstreamCalls, upstreamCalls } from '../upstream/calls.ts';
import { accessTokenFrom, credentialsReader } from '../upstream/credentials.ts';
import { graphClient } from '../upstream/graph-client.ts';
import { graphSettings } from '../upstream/runtime.ts';
import { knownCallError } from './error-codes.ts';

/** All upstream calls of one operation together take at most this long: two timeouts, and less than the gateway waits. */
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
