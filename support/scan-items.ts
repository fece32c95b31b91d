import type { ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Table } from '#shared/adapters/dynamodb/table.ts';
import { ScanCommand } from './dynamodb-commands.ts';

/** Reads the items of the whole table that pass a filter, consistently. */
export async function* scanItems(
  { client, name }: Table,
  filter: Omit<ScanCommandInput, 'TableName' | 'ConsistentRead' | 'ExclusiveStartKey'>,
): AsyncGenerator<Record<string, unknown>> {
  let start: ScanCommandInput['ExclusiveStartKey'];
  do {
    const page: ScanCommand['output'] = await client.send(
      new ScanCommand({ TableName: name, ConsistentRead: true, ...filter, ...(start && { ExclusiveStartKey: start }) }),
    );
    yield* page.Items ?? [];
    start = page.LastEvaluatedKey;
  } while (start);
}
