import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { groupsOf } from '#shared/base/concurrency.ts';
import { batchGet, type Key, maxKeys, type Table } from './table.ts';

const keyAttributes = new Set(['pk', 'sk', 'gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk', 'expires_at_seconds']);

/**
 * The record in an item: the item without the attributes that only the table needs. The table contains only what these
 * stores wrote, so the record's type is trusted here, and only here.
 */
export function fromItem<T>(item: Record<string, unknown> | undefined): T | undefined {
  if (item === undefined) return undefined;
  return Object.fromEntries(Object.entries(item).filter(([name]) => !keyAttributes.has(name))) as T;
}

/** The record that a write returned. Throws when it returned none. */
export function required<T>(record: T | undefined): T {
  if (record === undefined) throw new Error('DynamoDB returned no item');
  return record;
}

/** Reads the record under `key` consistently. */
export async function getRecord<T>(table: Table, key: Key): Promise<T | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: { pk: key.pk, sk: key.sk }, ConsistentRead: true }),
  );
  return fromItem<T>(Item);
}

/**
 * Reads the records under the keys from an index, consistently and in the order of the keys. Records that were deleted
 * in the meantime are left out. One call reads `atOnce` of them.
 */
export async function* readRecords<T>(
  table: Table,
  found: AsyncIterable<Record<string, unknown>>,
  { atOnce = maxKeys, toRecord = fromItem<T> }: ReadOptions<T> = {},
): AsyncGenerator<T> {
  for await (const group of groupsOf(found, atOnce)) {
    const batch = group.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));
    yield* await readBatch(table, batch, toRecord);
  }
}

interface ReadOptions<T> {
  atOnce?: number | undefined;
  toRecord?: (item: Record<string, unknown> | undefined) => T | undefined;
}

/**
 * The size of the batches in which so many records are best read, and of all of them together. A batch has at most a
 * hundred keys: two batches of 51 read 101 records, where a batch of a hundred and the next one would read two hundred.
 */
export function evenBatches(wanted: number): { atOnce: number; all: number } {
  const batches = Math.ceil(wanted / maxKeys);
  const atOnce = Math.ceil(wanted / batches);
  return { atOnce, all: atOnce * batches };
}

async function readBatch<T>(
  table: Table,
  batch: readonly Key[],
  toRecord: Required<ReadOptions<T>>['toRecord'],
): Promise<T[]> {
  // DynamoDB rejects a batch with a key that occurs twice (API reference, "BatchGetItem").
  const distinct = new Map(batch.map((key) => [keyText(key), key]));
  const items = await batchGet(table, [...distinct.values()]);
  const byKey = new Map(items.map((item) => [keyText(item), item]));
  return [...distinct.keys()].flatMap((key) => toRecord(byKey.get(key)) ?? []);
}

const keyText = ({ pk, sk }: { pk?: unknown; sk?: unknown }) => JSON.stringify([pk, sk]);

/** Collects all records of `readRecords`. */
export const getRecords = <T>(table: Table, found: AsyncIterable<Record<string, unknown>>): Promise<T[]> =>
  Array.fromAsync(readRecords<T>(table, found));
