import { parseUuid } from '#shared/base/ids.ts';
import { invalidField } from '#shared/base/service-error.ts';

/** The list and the page that a client requests. */
export interface PageRequest {
  /** Address of the list. */
  path: string;
  /** The resource that the list belongs to, see {@link Cursor}. */
  list: string;
  /** The query parameters that all pages share, in addition to `limit`. */
  filters: Readonly<Record<string, string | number | undefined>>;
  limit: number;
  from: Cursor | undefined;
}

/** Builds the links from one page of a list to the others. Lists start with the newest items. */
export function pageLinks({ path, list, filters, limit, from }: PageRequest, { newest, oldest, more }: PageBounds) {
  const backward = from?.towards === 'newer';
  const cursor = (towards: Cursor['towards'], item: string | undefined, isThere: boolean) =>
    isThere && item !== undefined ? encodeCursor({ list, item, towards }) : null;
  const next = cursor('older', oldest, backward || more);
  const prev = cursor('newer', newest, backward ? more : from !== undefined);

  const link = (at: string | null) => {
    const query = Object.entries({ ...filters, limit, cursor: at ?? undefined });
    const parameters = query.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    );
    return `${path}?${new URLSearchParams(parameters)}`;
  };
  return {
    links: { first: link(null), last: null, prev: prev && link(prev), next: next && link(next) },
    meta: { path, per_page: limit, next_cursor: next, prev_cursor: prev },
  };
}

/** A position in one list. */
export interface Cursor extends Position {
  /** The id of the resource that the list belongs to. */
  list: string;
}

/** Encodes a cursor. It is opaque to clients and bound to its list, so that it is not valid for another one. */
export function encodeCursor({ list, item, towards }: Cursor): string {
  return Buffer.from([list, item, towards].join(' ')).toString('base64url');
}

/** Decodes a cursor; returns `undefined` if `text` is not a cursor of this list. */
export function decodeCursor(text: string, list: string): Cursor | undefined {
  const [ofList, itemText, towards, ...rest] = Buffer.from(text, 'base64url').toString().split(' ');
  const item = parseUuid(itemText);
  if (rest.length > 0 || ofList !== list || item === undefined) return undefined;
  if (towards !== 'older' && towards !== 'newer') return undefined;
  const cursor = { list, item, towards } as const;
  return encodeCursor(cursor) === text ? cursor : undefined;
}

/** Decodes a request's `cursor` field, if there is one. Throws `validation-failed` if it is not a cursor of this list. */
export function requestCursor(text: string | undefined, list: string): Cursor | undefined {
  if (text === undefined) return undefined;
  const cursor = decodeCursor(text, list);
  if (!cursor) throw invalidField('cursor', 'cursor');
  return cursor;
}

/** Where a page of a list begins: next to an item, in one direction. */
export interface Position {
  /** The id of the item, which may have been deleted. */
  item: string;
  towards: 'older' | 'newer';
}

/**
 * Takes the items of one page from a list that begins at `from`, and finds out whether there are more. The page has the
 * newest item first.
 */
export async function takePage<T>(
  list: AsyncIterable<T>,
  limit: number,
  from: Position | undefined,
): Promise<{ items: T[]; more: boolean }> {
  const items: T[] = [];
  let more = false;
  for await (const item of list) {
    more = items.length === limit;
    if (more) break;
    items.push(item);
  }
  return { items: from?.towards === 'newer' ? items.reverse() : items, more };
}

/**
 * The first and last items of a page, and whether there are more beyond its end, in the direction in which it was read.
 */
export interface PageBounds {
  newest: string | undefined;
  oldest: string | undefined;
  more: boolean;
}
