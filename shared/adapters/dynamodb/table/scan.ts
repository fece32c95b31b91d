import { DeleteCommand, ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Key } from './batch-get.ts';
import type { Table } from './table.ts';

/** An item as it is stored, with its key. */
export type StoredItem = Readonly<Record<string, unknown>> & Key;

/** Reads every item of the table, consistently. It costs a read unit for each 4 KB that the table has. */
export async function* scanTable(table: Table): AsyncGenerator<StoredItem> {
  let start: ScanCommandInput['ExclusiveStartKey'];
  do {
    const page = await table.client.send(
      new ScanCommand({ TableName: table.name, ConsistentRead: true, ...(start && { ExclusiveStartKey: start }) }),
    );
    yield* (page.Items ?? []) as StoredItem[];
    start = page.LastEvaluatedKey;
  } while (start);
}

/** Deletes an item, whatever it is by now. */
export async function deleteItem({ client, name: TableName }: Table, { pk, sk }: Key): Promise<void> {
  await client.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
}
