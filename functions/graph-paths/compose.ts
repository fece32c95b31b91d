import { callBudgetMs } from '#shared/base/time-limits.ts';
import { graphObjectStore } from '#shared/graph-paths/graph-object-store.ts';
import { upstreamObjects } from '#shared/graph-paths/graph-objects-graph.ts';
import { upstreamMedia } from '#shared/media/media-graph.ts';
import { clientOf, credentialsOf, table } from '#shared/operations/compose.ts';
import type { Environment } from '#shared/operations/contract.ts';

export const callClient = /* @__PURE__ */ clientOf(upstreamObjects, callBudgetMs, 'call');

/** What every function of Graph's paths needs. */
export const graphDependencies = {
  objects: (environment: Environment<'table'>) => graphObjectStore(table(environment)),
  credentialsOf,
  upstreamBaseUrl: (environment: Environment<'upstream'>) => environment.UPSTREAM_BASE_URL,
  upstream: /* @__PURE__ */ clientOf(upstreamObjects, callBudgetMs),
  media: /* @__PURE__ */ clientOf(upstreamMedia, callBudgetMs),
};
