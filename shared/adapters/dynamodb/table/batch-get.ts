import { setTimeout as delay } from 'node:timers/promises';
import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from './table.ts';

export interface Key {
  pk: string;
  sk: string;
}

/** The maximum number of keys in one `BatchGetItem`. */
export const maxKeys = 100;

/**
 * Reads the items under up to a hundred keys, consistently and in no particular order. Requests again the keys that
 * DynamoDB leaves unprocessed when it throttles and beyond 16 MB.
 */
export async function batchGet(table: Table, wanted: readonly Key[]): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let keysLeft: Record<string, unknown>[] = wanted.map((key) => ({ ...key }));
  for (let idle = 0; keysLeft.length > 0; ) {
    if (idle === 5) throw new Error('DynamoDB kept leaving keys unprocessed');
    if (idle > 0) await delay(2 ** idle * 20);
    const { Responses, UnprocessedKeys } = await table.client.send(
      new BatchGetCommand({ RequestItems: { [table.name]: { Keys: keysLeft, ConsistentRead: true } } }),
    );
    const found = Responses?.[table.name] ?? [];
    items.push(...found);
    keysLeft = UnprocessedKeys?.[table.name]?.Keys ?? [];
    idle = found.length > 0 ? 0 : idle + 1;
  }
  return items;
}
