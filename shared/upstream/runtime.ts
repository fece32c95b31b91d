import { requiredEnv } from '../env.ts';
import type { GraphSettings } from './graph-client.ts';

/** Where the upstream is, by the environment of a deployed function. */
export function graphSettings(): GraphSettings {
  return {
    baseUrl: requiredEnv('UPSTREAM_BASE_URL'),
    version: requiredEnv('UPSTREAM_GRAPH_VERSION'),
    timeoutMs: Number(requiredEnv('UPSTREAM_TIMEOUT_MS')),
  };
}
