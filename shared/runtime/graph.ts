import type { GraphSettings } from '#shared/adapters/graph/graph-client.ts';
import { deploymentMark, marked } from '#shared/base/mark.ts';
import { requiredEnv } from './env.ts';

/** Where the upstream is and what our requests to it carry, by the environment of a deployed function. */
export function graphSettings(): GraphSettings & Required<Pick<GraphSettings, 'headers'>> {
  return {
    baseUrl: requiredEnv('UPSTREAM_BASE_URL'),
    version: requiredEnv('UPSTREAM_GRAPH_VERSION'),
    timeoutMs: Number(requiredEnv('UPSTREAM_TIMEOUT_MS')),
    headers: marked({}, deploymentMark()),
  };
}
