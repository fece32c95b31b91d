import * as z from 'zod/mini';
import { parseUuid } from '#shared/base/ids.ts';
import { invalidField } from '#shared/base/service-error.ts';

/** Items of a page whose request names no limit. */
export const defaultPageLimit = 100;

const range = { min: 1, max: 100 };
const isInRange = (text: string) => /^\d{1,3}$/.test(text) && Number(text) >= range.min && Number(text) <= range.max;
const digits = z.string().check(z.refine(isInRange, { params: { rule: 'between', ...range } }));

const pageLimit = z.pipe(z.pipe(digits, z.transform(Number)), z.int().check(z.gte(range.min), z.lte(range.max)));
z.globalRegistry.add(pageLimit, { default: defaultPageLimit });

export const pageQuery = {
  limit: z.optional(pageLimit),
  cursor: z.optional(z.string().check(z.maxLength(500))),
};

export const pageQueryTexts = () => ({
  limit: 'The number of items on a page: 1 to 100, 100 by default.',
  cursor: 'Where the page starts: `meta.next_cursor` or `meta.prev_cursor` of another page of the same list.',
});

const emptyAsAbsent = z.pipe(
  z.string(),
  z.transform((text) => (text === '' ? undefined : text)),
);

/** An optional query parameter that filters a list. Without a value, as in `?status=`, it counts as absent. */
export function filter<S extends z.ZodMiniType<unknown, string | undefined>>(schema: S) {
  const optional = z.optional(z.pipe(emptyAsAbsent, z.optional(schema)));
  z.globalRegistry.add(optional, { allowEmptyValue: true });
  return optional;
}

const nullableUrl = z.nullable(z.string());

export const pageMembers = {
  links: z.object({ first: nullableUrl, last: nullableUrl, prev: nullableUrl, next: nullableUrl }),
  meta: z.object({
    path: z.string(),
    per_page: z.int(),
    next_cursor: z.nullable(z.string()),
    prev_cursor: z.nullable(z.string()),
  }),
};

export const pageTexts = () => ({
  links: 'URLs of the pages around this one.',
  'links.first': 'The first page.',
  'links.last': 'Always `null`: the last page is not known in advance.',
  'links.prev': 'The page before this one; `null` on the first page.',
  'links.next': 'The page after this one; `null` on the last page.',
  meta: 'What the page is part of.',
  'meta.path': 'The URL of the list.',
  'meta.per_page': 'The `limit` of the page.',
  'meta.next_cursor': 'The `cursor` of the page after this one; `null` on the last page.',
  'meta.prev_cursor': 'The `cursor` of the page before this one; `null` on the first page.',
});

/** The list and the page that a client requests. */
interface PageRequest {
  path: string;
  /** The resource that the list belongs to, see {@link Cursor}. */
  list: string;
  /** The query parameters that all pages share, in addition to `limit`. */
  filters: Readonly<Record<string, string | number | undefined>>;
  limit: number;
  from: Cursor | undefined;
}

/**
 * The first and last items of a page, and whether there are more beyond its end, in the direction in which it was read.
 */
interface PageBounds {
  newest: string | undefined;
  oldest: string | undefined;
  more: boolean;
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

interface WantedPage extends Pick<PageRequest, 'path' | 'list'> {
  query: { limit?: number | undefined; cursor?: string | undefined };
  filters?: PageRequest['filters'];
}

/** Takes one page from a list, newest first. `read` lists from a position on, of which some items are wanted. */
export async function readPage<T>(
  { path, list, query, filters = {} }: WantedPage,
  read: (from: Position | undefined, wanted: number) => AsyncIterable<T>,
  idOf: (item: T) => string,
) {
  const { limit = defaultPageLimit, cursor } = query;
  const from = requestCursor(cursor, list);
  const items: T[] = [];
  let more = false;
  for await (const item of read(from, limit)) {
    more = items.length === limit;
    if (more) break;
    items.push(item);
  }
  if (from?.towards === 'newer') items.reverse();
  const [newest, oldest] = [items[0], items.at(-1)].map((item) => item && idOf(item));
  return { items, ...pageLinks({ path, list, filters, limit, from }, { newest, oldest, more }) };
}
