import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from './table.ts';

interface Key {
  pk: string;
  sk: string;
}

const keyAttributes = new Set(['pk', 'sk', 'gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk', 'expires_at_seconds']);

/**
 * The record in an item: the item without the attributes that only the table needs. The table holds what these stores
 * wrote and nothing else, so the record's type is taken on trust here, and only here.
 */
export function fromItem<T>(item: Record<string, unknown> | undefined): T | undefined {
  if (item === undefined) return undefined;
  return Object.fromEntries(Object.entries(item).filter(([name]) => !keyAttributes.has(name))) as T;
}

/** The record under `key`, read consistently. */
export async function getRecord<T>(table: Table, key: Key): Promise<T | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: { pk: key.pk, sk: key.sk }, ConsistentRead: true }),
  );
  return fromItem<T>(Item);
}

/** The records under the keys that an index gave, in their order; those deleted since are left out. */
export async function getRecords<T>(table: Table, found: AsyncIterable<Record<string, unknown>>): Promise<T[]> {
  const records: T[] = [];
  for await (const { pk, sk } of found) {
    const record = await getRecord<T>(table, { pk: String(pk), sk: String(sk) });
    if (record) records.push(record);
  }
  return records;
}
