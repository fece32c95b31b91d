import { GraphError } from './graph-errors.ts';

const defaultLimit = 25;
const maxLimit = 100;

interface Page<T> {
  readonly data: readonly T[];
  readonly paging?: { cursors: { before: string; after: string }; next?: string };
}

/**
 * Graph's cursor paging over items in descending order of their numeric ids.
 * @param url the URL of the list, from which `next` is made
 */
export function paginate<T extends { readonly id: string }>(items: readonly T[], url: URL): Page<T> {
  const limit = readLimit(url.searchParams.get('limit'));
  const after = readCursor(url.searchParams.get('after'));
  const left = items.filter(({ id }) => Number(id) < after);
  const data = left.slice(0, limit);
  const [first, last] = [data.at(0), data.at(-1)];
  if (first === undefined || last === undefined) return { data };
  const cursors = { before: cursorOf(first), after: cursorOf(last) };
  return { data, paging: { cursors, ...(left.length > limit && { next: nextPage(url, cursors.after) }) } };
}

/** A cursor contains an item's id, so it stays valid after that item is deleted. */
function cursorOf(item: { readonly id: string }): string {
  return Buffer.from(item.id).toString('base64url');
}

function readCursor(cursor: string | null): number {
  if (cursor === null || cursor === '') return Number.POSITIVE_INFINITY;
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!/^\d+$/.test(id)) throw new GraphError('invalid_parameter', 'Invalid cursor');
  return Number(id);
}

function readLimit(limit: string | null): number {
  if (limit === null) return defaultLimit;
  if (!/^[1-9]\d*$/.test(limit)) throw new GraphError('invalid_parameter', 'Param limit must be a positive integer');
  return Math.min(Number(limit), maxLimit);
}

function nextPage(url: URL, after: string): string {
  const link = new URL(url);
  link.searchParams.set('after', after);
  return link.href;
}
