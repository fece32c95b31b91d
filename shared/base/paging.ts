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
