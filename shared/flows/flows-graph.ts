import * as z from 'zod/mini';
import { downloadTimeoutMs } from '#shared/base/time-limits.ts';
import { isNoSuchObject, UpstreamError } from '#shared/base/upstream-error.ts';
import { acknowledged, connectionError, type GraphClient, parseResponse } from '#shared/graph/graph-client.ts';

/** The metadata of a Flow that the service sends to the upstream. */
export interface UpstreamMetadata {
  name: string;
  categories: readonly string[];
  /** If omitted, the upstream keeps its value. An empty text removes it. */
  endpoint_uri?: string;
}

const validationError = z.looseObject({ error: z.string(), message: z.string() });

/** A finding of the upstream's validation, passed on unchanged. */
export type ValidationError = z.output<typeof validationError>;

const validationErrorList = z.array(validationError);

/**
 * Findings of another shape count as none. A transform does this because `z.catch` adds all of zod's utilities to a
 * bundle.
 */
const validationErrors = z.pipe(
  z.unknown(),
  z.transform((value) => z.safeParse(validationErrorList, value).data ?? []),
);
const created = z.object({ id: z.string() });
const uploaded = z.object({ validation_errors: z.optional(validationErrors) });

const upstreamFlow = z.object({
  id: z.string(),
  name: z.optional(z.string()),
  status: z.optional(z.string()),
  categories: z.optional(z.array(z.string())),
  /** Where the upstream sends exchanges; absent, `null` or empty without an endpoint. */
  endpoint_uri: z.optional(z.nullable(z.string())),
  json_version: z.optional(z.nullable(z.string())),
  validation_errors: z.optional(validationErrors),
});

/** A Flow according to the upstream. Members that a Graph version does not report are absent. */
export type UpstreamFlow = z.output<typeof upstreamFlow>;

const flowList = z.object({
  data: z.array(upstreamFlow),
  paging: z.optional(
    z.object({ next: z.optional(z.string()), cursors: z.optional(z.object({ after: z.optional(z.string()) })) }),
  ),
});
const assetList = z.object({
  data: z.array(z.object({ asset_type: z.string(), download_url: z.optional(z.string()) })),
});

const fields = 'id,name,status,categories,validation_errors,json_version,endpoint_uri';

/** The maximum number of pages, of 100 Flows each, that a look-up by name reads in a business account. */
const maxPages = 50;

export type UpstreamFlows = ReturnType<typeof upstreamFlows>;

/** Graph's Flows API (Meta, "Flows API"). Every method throws `UpstreamError` on failure. */
export function upstreamFlows(call: GraphClient, headers: Readonly<Record<string, string>> = {}) {
  const path = (id: string, edge = '') => `${encodeURIComponent(id)}${edge}`;

  return {
    async create(wabaId: string, metadata: UpstreamMetadata): Promise<string> {
      return parseResponse(created, await call({ method: 'POST', path: path(wabaId, '/flows'), json: metadata })).id;
    },

    async update(id: string, metadata: UpstreamMetadata): Promise<void> {
      acknowledged(await call({ method: 'POST', path: path(id), json: metadata }));
    },

    /** Uploads the content. The upstream stores it in spite of findings. */
    async uploadJson(id: string, json: string): Promise<ValidationError[]> {
      const form = new FormData();
      form.append('file', new Blob([json], { type: 'application/json' }), 'flow.json');
      form.append('name', 'flow.json');
      form.append('asset_type', 'FLOW_JSON');
      const response = await call({ method: 'POST', path: path(id, '/assets'), form });
      return parseResponse(uploaded, response).validation_errors ?? [];
    },

    async publish(id: string): Promise<void> {
      acknowledged(await call({ method: 'POST', path: path(id, '/publish') }));
    },

    async deprecate(id: string): Promise<void> {
      acknowledged(await call({ method: 'POST', path: path(id, '/deprecate') }));
    },

    async delete(id: string): Promise<void> {
      acknowledged(await call({ method: 'DELETE', path: path(id) }));
    },

    /** Resolves with `undefined` when the upstream does not know the Flow (any more). */
    async get(id: string): Promise<UpstreamFlow | undefined> {
      try {
        return parseResponse(upstreamFlow, await call({ method: 'GET', path: path(id), query: { fields } }));
      } catch (error) {
        if (isNoSuchObject(error)) return undefined;
        throw error;
      }
    },

    /** Resolves with the upstream's copy of the Flow JSON, or `undefined` when it has none. */
    async downloadJson(id: string): Promise<string | undefined> {
      const { data } = parseResponse(assetList, await call({ method: 'GET', path: path(id, '/assets') }));
      const url = data.find((asset) => asset.asset_type === 'FLOW_JSON')?.download_url;
      return url === undefined ? undefined : download(url, headers);
    },

    /** Finds the Flow by its name, which is unique in a business account. */
    async findByName(wabaId: string, name: string): Promise<UpstreamFlow | undefined> {
      let after: string | undefined;
      for (let page = 0; page < maxPages; page++) {
        const query = { fields, limit: '100', ...(after !== undefined && { after }) };
        const { data, paging } = parseResponse(
          flowList,
          await call({ method: 'GET', path: path(wabaId, '/flows'), query }),
        );
        const match = data.find((flow) => flow.name === name);
        after = paging?.cursors?.after;
        if (match || paging?.next === undefined || after === undefined) return match;
      }
      return undefined;
    },
  };
}

/** Downloads from a link of the upstream. The link itself grants access, so our token is not sent. */
async function download(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(downloadTimeoutMs) });
    if (response.ok) return await response.text();
    const failure = response.status < 500 ? 'rejected' : 'unavailable';
    throw new UpstreamError(failure, `The messaging platform responded to a download with ${response.status}.`);
  } catch (error) {
    throw error instanceof UpstreamError ? error : connectionError(error);
  }
}
