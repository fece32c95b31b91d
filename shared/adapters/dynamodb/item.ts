import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, type Key, mostKeys } from './batch-get.ts';
import type { Table } from './table.ts';

const keyAttributes = new Set(['pk', 'sk', 'gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk', 'expires_at_seconds']);

/**
 * The record in an item: the item without the attributes that only the table needs. The table holds what these stores
 * wrote and nothing else, so the record's type is taken on trust here, and only here.
 */
export function fromItem<T>(item: Record<string, unknown> | undefined): T | undefined {
  if (item === undefined) return undefined;
  return Object.fromEntries(Object.entries(item).filter(([name]) => !keyAttributes.has(name))) as T;
}

/** What a write returned, where it must have returned something. */
export function required<T>(record: T | undefined): T {
  if (record === undefined) throw new Error('DynamoDB returned no item');
  return record;
}

/** The record under `key`, read consistently. */
export async function getRecord<T>(table: Table, key: Key): Promise<T | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: { pk: key.pk, sk: key.sk }, ConsistentRead: true }),
  );
  return fromItem<T>(Item);
}

/**
 * The records under the keys that an index gave, in their order and read consistently; those deleted since are left
 * out. Reads `atOnce` of them in one call.
 */
export async function* readRecords<T>(
  table: Table,
  found: AsyncIterable<Record<string, unknown>>,
  { atOnce = mostKeys, toRecord = fromItem<T> }: ReadOptions<T> = {},
): AsyncGenerator<T> {
  let batch: Key[] = [];
  for await (const { pk, sk } of found) {
    batch.push({ pk: String(pk), sk: String(sk) });
    if (batch.length < atOnce) continue;
    yield* await readBatch(table, batch, toRecord);
    batch = [];
  }
  yield* await readBatch(table, batch, toRecord);
}

interface ReadOptions<T> {
  atOnce?: number | undefined;
  toRecord?: (item: Record<string, unknown> | undefined) => T | undefined;
}

async function readBatch<T>(
  table: Table,
  batch: readonly Key[],
  toRecord: Required<ReadOptions<T>>['toRecord'],
): Promise<T[]> {
  const items = await batchGet(table, batch);
  const byKey = new Map(items.map((item) => [keyText(item), item]));
  return batch.flatMap((key) => toRecord(byKey.get(keyText(key))) ?? []);
}

const keyText = ({ pk, sk }: { pk?: unknown; sk?: unknown }) => JSON.stringify([pk, sk]);

/** All of `readRecords`. */
export const getRecords = <T>(table: Table, found: AsyncIterable<Record<string, unknown>>): Promise<T[]> =>
  Array.fromAsync(readRecords<T>(table, found));
