import * as z from 'zod/mini';
import { type GraphClient, parseResponse } from '#shared/graph/graph-client.ts';

/** Parameters of a query for the platform. */
export type GraphQuery = Readonly<Record<string, string>>;

const templates = z.object({
  data: z.array(z.object({ id: z.string() })),
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

    /** The ids of an account's templates, and where the next page begins. */
    async templateIds(account: string, after: string | undefined) {
      const query = { fields: 'id', limit: '100', ...(after !== undefined && { after }) };
      const response = await call({ method: 'GET', path: pathOf(account, 'message_templates'), query });
      const { data, paging } = parseResponse(templates, response);
      return { ids: data.map(({ id }) => id), after: paging?.next === undefined ? undefined : paging.cursors.after };
    },
  };
}
