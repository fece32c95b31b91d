import { ScanCommand, type ScanCommandInput, type ScanCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { Table } from '#shared/aws/table.ts';

/** Reads the items of the whole table that pass a filter, consistently. */
export async function* scanItems(
  { client, name }: Table,
  filter: Omit<ScanCommandInput, 'TableName' | 'ConsistentRead' | 'ExclusiveStartKey'>,
): AsyncGenerator<Record<string, unknown>> {
  let start: ScanCommandInput['ExclusiveStartKey'];
  do {
    const page: ScanCommandOutput = await client.send(
      new ScanCommand({ TableName: name, ConsistentRead: true, ...filter, ...(start && { ExclusiveStartKey: start }) }),
    );
    yield* page.Items ?? [];
    start = page.LastEvaluatedKey;
  } while (start);
}
