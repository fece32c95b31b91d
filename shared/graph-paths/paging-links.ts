import { own } from '#shared/base/json.ts';
import { invalidField } from '#shared/base/service-error.ts';
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

/**
 * A page of a list that is here as a whole, without its links. Its cursors are ids of its entries: those of the platform
 * tell of entries that are left out.
 */
export function pageOf(entries: readonly { id: string }[], { limit = '100', after, before }: GraphQuery) {
  const name = after === undefined ? 'before' : 'after';
  const cursor = after ?? before;
  const at = entries.findIndex(({ id }) => id === cursor);
  if (cursor !== undefined && at < 0) throw invalidField(name, 'cursor');
  const begin = name === 'after' ? at + 1 : Math.max(at - Number(limit), 0);
  const end = cursor === undefined || name === 'after' ? begin + Number(limit) : at;
  const data = entries.slice(begin, end);
  const links = { ...(begin > 0 && { previous: '' }), ...(end < entries.length && { next: '' }) };
  const cursors = { before: data.at(0)?.id, after: data.at(-1)?.id };
  return { data, ...(data.length > 0 && { paging: { cursors, ...links } }) };
}
