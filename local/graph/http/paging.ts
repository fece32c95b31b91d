import { GraphError } from '../core/graph-errors.ts';

const defaultLimit = 25;
const maxLimit = 100;

interface Page<T> {
  readonly data: readonly T[];
  readonly paging?: { cursors: { before: string; after: string }; previous?: string; next?: string };
}

/**
 * Graph's cursor paging over items in descending order of their numeric ids.
 * @param url the URL of the list, from which `next` and `previous` are made
 */
export function paginate<T extends { readonly id: string }>(items: readonly T[], url: URL): Page<T> {
  const limit = readLimit(url.searchParams.get('limit'));
  const after = readCursor(url.searchParams.get('after'));
  const before = readCursor(url.searchParams.get('before'));

  const start = after === undefined ? 0 : countNewer(items, after, true);
  const end = before === undefined ? items.length : countNewer(items, before, false);
  const from = before === undefined ? start : Math.max(start, end - limit);
  const to = Math.min(end, from + limit);

  const data = items.slice(from, to);
  const [first, last] = [data.at(0), data.at(-1)];
  if (first === undefined || last === undefined) return { data };
  const cursors = { before: cursorOf(first), after: cursorOf(last) };
  return {
    data,
    paging: {
      cursors,
      ...(from > 0 && { previous: linkTo(url, 'before', cursors.before) }),
      ...(to < items.length && { next: linkTo(url, 'after', cursors.after) }),
    },
  };
}

/** A cursor contains an item's id, so it stays valid after that item is deleted. */
function cursorOf(item: { readonly id: string }): string {
  return Buffer.from(item.id).toString('base64url');
}

function readCursor(cursor: string | null): number | undefined {
  if (cursor === null || cursor === '') return undefined;
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!/^\d+$/.test(id)) throw new GraphError('invalid_parameter', 'Invalid cursor');
  return Number(id);
}

function readLimit(limit: string | null): number {
  if (limit === null) return defaultLimit;
  if (!/^[1-9]\d*$/.test(limit)) throw new GraphError('invalid_parameter', 'Param limit must be a positive integer');
  return Math.min(Number(limit), maxLimit);
}

function countNewer(items: readonly { readonly id: string }[], id: number, orSame: boolean): number {
  return items.filter((item) => Number(item.id) > id || (orSame && Number(item.id) === id)).length;
}

function linkTo(url: URL, direction: 'before' | 'after', cursor: string): string {
  const link = new URL(url);
  for (const name of ['before', 'after', 'access_token']) link.searchParams.delete(name);
  link.searchParams.set(direction, cursor);
  return link.href;
}
