import { callBudgetMs } from '#shared/base/time-limits.ts';
import { graphObjectStore } from '#shared/graph-paths/graph-object-store.ts';
import { upstreamObjects } from '#shared/graph-paths/graph-objects-graph.ts';
import { upstreamMedia } from '#shared/media/media-graph.ts';
import { clientOf, table } from '#shared/operations/compose.ts';
import type { Environment } from '#shared/operations/variables.ts';

export const objects = (environment: Environment<'table'>) => graphObjectStore(table(environment));

export const objectClient = /* @__PURE__ */ clientOf(upstreamObjects, callBudgetMs);

export const callClient = /* @__PURE__ */ clientOf(upstreamObjects, callBudgetMs, 'call');

export const describeMedia = /* @__PURE__ */ clientOf(upstreamMedia, callBudgetMs);

export const upstreamBaseUrl = (environment: Environment<'upstream'>) => environment.UPSTREAM_BASE_URL;
