import type { PageBounds } from '#shared/base/paging.ts';
import { type Cursor, encodeCursor } from './cursor.ts';

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
