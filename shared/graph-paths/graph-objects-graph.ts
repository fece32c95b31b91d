import * as z from 'zod/mini';
import { type GraphClient, parseResponse } from '#shared/graph/graph-client.ts';

/** Parameters of a query for the platform. */
export type GraphQuery = Readonly<Record<string, string>>;

const page = z.object({
  data: z.array(z.looseObject({ id: z.string() })),
  paging: z.optional(z.object({ next: z.optional(z.string()), cursors: z.object({ after: z.optional(z.string()) }) })),
});

export type UpstreamObjects = ReturnType<typeof upstreamObjects>;

/**
 * The platform's objects, in its own form. A path has nothing but an id that is tied to the caller, and an edge of the
 * table. Throws `UpstreamError` on failure.
 */
export function upstreamObjects(call: GraphClient) {
  const pathOf = (id: string, edge: string | undefined) => {
    if (!/^\d+$/.test(id)) throw new TypeError('Not an id of the platform');
    return edge === undefined ? id : `${id}/${edge}`;
  };
  return {
    read: (id: string, edge: string | undefined, query: GraphQuery) =>
      call({ method: 'GET', path: pathOf(id, edge), query: { ...query } }),

    change: (id: string, edge: string | undefined, json: object) =>
      call({ method: 'POST', path: pathOf(id, edge), json }),

    remove: (id: string, edge: string | undefined, query: GraphQuery) =>
      call({ method: 'DELETE', path: pathOf(id, edge), query: { ...query } }),

    /** Reads a list, at most so many pages of it. */
    async *pages(id: string, edge: string | undefined, filters: GraphQuery, maxPages: number) {
      let after: string | undefined;
      for (let count = 0; count < maxPages; count++) {
        const query = { ...filters, limit: '100', ...(after !== undefined && { after }) };
        const { data, paging } = parseResponse(page, await call({ method: 'GET', path: pathOf(id, edge), query }));
        yield data;
        after = paging?.next === undefined ? undefined : paging.cursors.after;
        if (after === undefined) return;
      }
    },
  };
}
