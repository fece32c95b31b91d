import { own } from '#shared/base/json.ts';
import type { GraphQuery } from './graph-objects-graph.ts';
import { graphPrefix, type ParsedPath } from './path-routing.ts';

/** Replaces the platform's links to other pages by our own, without a token. Its cursors stay. */
export function withOwnLinks(response: object, { version, id, edge }: ParsedPath, query: GraphQuery, baseUrl: string) {
  const paging = own(response, 'paging');
  const { before: _, after: __, ...filters } = query;
  const cursors = own(paging, 'cursors');
  const linkTo = (name: 'next' | 'previous', direction: 'after' | 'before') => {
    const cursor = own(cursors, direction);
    if (own(paging, name) === undefined || typeof cursor !== 'string') return {};
    const path = [graphPrefix.slice(1), version, id, edge].filter((part) => part !== undefined).join('/');
    return { [name]: `${baseUrl}/${path}?${new URLSearchParams({ ...filters, [direction]: cursor })}` };
  };
  const links = { ...linkTo('previous', 'before'), ...linkTo('next', 'after') };
  return {
    ...response,
    ...(paging !== undefined && { paging: { ...(cursors !== undefined && { cursors }), ...links } }),
  };
}
