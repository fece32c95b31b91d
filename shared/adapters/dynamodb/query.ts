import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Table } from './table.ts';

type Item = Record<string, unknown>;

/**
 * Every item of a query, page after page; stop iterating to stop reading. A `Limit` is how many items to read at first:
 * each further page reads four times as many, so that a filter that few items pass costs few calls.
 */
export async function* queryItems(table: Table, query: Omit<QueryCommandInput, 'TableName'>): AsyncGenerator<Item> {
  let start: QueryCommandInput['ExclusiveStartKey'];
  let { Limit } = query;
  do {
    const page = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        ...query,
        ...(Limit && { Limit }),
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    yield* page.Items ?? [];
    start = page.LastEvaluatedKey;
    Limit = Limit && Limit * 4;
  } while (start);
}

/** The items of one partition of the table whose sort key has this prefix, read consistently. */
export function queryPartition(table: Table, pk: string, prefix: string): AsyncGenerator<Item> {
  return queryItems(table, {
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
  });
}

/** The keys that an index of keys holds under one partition, optionally those with a sort key prefix. */
export function queryIndex(table: Table, index: 'gsi1' | 'gsi2', pk: string, prefix = ''): AsyncGenerator<Item> {
  return queryItems(table, {
    IndexName: index,
    KeyConditionExpression: `${index}pk = :pk AND begins_with(${index}sk, :prefix)`,
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
  });
}
