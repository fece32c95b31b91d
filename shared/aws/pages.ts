import { QueryCommand, type QueryCommandInput, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { Table } from './table.ts';

type Item = Record<string, unknown>;

/** The next entries of a sorted list, and how to read the following page if there is one. */
interface Page<T> {
  entries: readonly T[];
  readOn?: ReadPage<T> | undefined;
}

export type ReadPage<T> = () => Promise<Page<T>>;

/** The number of lists that are read in parallel: each read takes a connection, and a cold function has none yet. */
const maxAtOnce = 16;

/** Pages grow up to this size while they contain wanted entries. */
const largestPage = 100;

/** The first page of each list is a little larger than its share, so that few lists need a second one. */
const spare = 2;

/** The size of the first page of each of `lists` lists, if `wanted` items are wanted in total. */
export const firstPage = (wanted: number, lists: number) => Math.ceil(wanted / lists) + spare;

/**
 * Reads the pages of a query. The first page has `limit` items and the next ones have more, especially after an empty
 * page. `toEntries` converts a page; its `end` is the key of the last item read when there are more.
 */
export function queryPages<T>(
  table: Table,
  query: Omit<QueryCommandInput, 'TableName'>,
  limit: number,
  toEntries: (items: readonly Item[], end: Item | undefined) => T[],
): ReadPage<T> {
  return async () => {
    const { Items = [], LastEvaluatedKey: end }: QueryCommandOutput = await table.client.send(
      new QueryCommand({ TableName: table.name, ...query, Limit: limit }),
    );
    const next = Items.length > 0 ? Math.max(limit, Math.min(limit * 2, largestPage)) : limit * 4;
    return {
      entries: toEntries(Items, end),
      readOn: end && queryPages(table, { ...query, ExclusiveStartKey: end }, next, toEntries),
    };
  };
}

/** Merges sorted lists. Lists that run out of entries are read in parallel, and no list is read further than needed. */
export async function* mergePages<T>(
  lists: readonly ReadPage<T>[],
  precedes: (one: T, other: T) => boolean,
): AsyncGenerator<T, undefined> {
  let unread = lists.map((readOn): { entries: T[]; readOn: ReadPage<T> | undefined } => ({ entries: [], readOn }));
  for (;;) {
    if (unread.some(({ entries, readOn }) => entries.length === 0 && readOn)) {
      // The other lists that are about to run out are read at the same time.
      const low = unread.filter(({ entries, readOn }) => entries.length <= 1 && readOn).values();
      const readSome = async () => {
        for (const list of low) {
          const page = await list.readOn?.();
          list.entries.push(...(page?.entries ?? []));
          list.readOn = page?.readOn;
        }
      };
      await Promise.all(Array.from({ length: maxAtOnce }, readSome));
      continue;
    }
    unread = unread.filter(({ entries }) => entries.length > 0);
    const [first, ...others] = unread;
    if (!first) return;
    const best = others.reduce(
      (one, other) => (precedes(other.entries[0] as T, one.entries[0] as T) ? other : one),
      first,
    );
    yield best.entries.shift() as T;
  }
}
