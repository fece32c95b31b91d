import { GraphError } from './graph-errors.ts';

const defaultLimit = 25;
const maxLimit = 100;

interface Page<T> {
  readonly data: readonly T[];
  readonly paging?: { cursors: { before: string; after: string }; previous?: string; next?: string };
}

/**
 * Graph's cursor paging over items in descending order of their numeric ids.
 * @param url the URL of the list, from which the links to other pages are made
 */
export function paginate<T extends { readonly id: string }>(items: readonly T[], url: URL): Page<T> {
  const limit = readLimit(url.searchParams.get('limit'));
  const [after, before] = [readCursor(url, 'after'), readCursor(url, 'before')];
  const left = items.filter(({ id }) => Number(id) < (after ?? Infinity) && Number(id) > (before ?? -Infinity));
  const data = before === undefined ? left.slice(0, limit) : left.slice(-limit);
  const [first, last] = [data.at(0), data.at(-1)];
  if (first === undefined || last === undefined) return { data };
  const cursors = { before: cursorOf(first), after: cursorOf(last) };
  const links = {
    ...(first !== items.at(0) && { previous: pageLink(url, 'before', cursors.before) }),
    ...(last !== items.at(-1) && { next: pageLink(url, 'after', cursors.after) }),
  };
  return { data, paging: { cursors, ...links } };
}

/** A cursor contains an item's id, so it stays valid after that item is deleted. */
function cursorOf(item: { readonly id: string }): string {
  return Buffer.from(item.id).toString('base64url');
}

function readCursor(url: URL, name: 'after' | 'before'): number | undefined {
  const cursor = url.searchParams.get(name);
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

function pageLink(url: URL, name: 'after' | 'before', cursor: string): string {
  const link = new URL(url);
  for (const other of ['after', 'before']) link.searchParams.delete(other);
  link.searchParams.set(name, cursor);
  return link.href;
}
