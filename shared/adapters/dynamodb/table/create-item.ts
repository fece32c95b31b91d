import { isDeepStrictEqual } from 'node:util';
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { unlessCanceled, unlessUnmet } from './condition.ts';
import type { Table } from './table.ts';

/**
 * Writes an item that must not exist yet. If an identical item exists, the client has repeated a write whose response
 * was lost, so the write succeeded.
 *
 * @throws Error when another item has the key.
 */
export async function createItem(table: Table, item: Record<string, unknown>): Promise<void> {
  const create = new PutCommand({
    TableName: table.name,
    Item: item,
    ConditionExpression: 'attribute_not_exists(pk)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  await unlessUnmet<unknown>(table.client.send(create), ({ item: existing }) => {
    if (!isDeepStrictEqual(existing, item)) throw new Error(`There is another item with the key ${item.pk}`);
  });
}

/** Writes items that must not exist yet, all of them or none. Resolves with `false` when one of them exists. */
export function createItems(table: Table, items: readonly Record<string, unknown>[]): Promise<boolean> {
  const TransactItems = items.map((Item) => ({
    Put: { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' },
  }));
  return unlessCanceled(table.client.send(new TransactWriteCommand({ TransactItems })));
}
