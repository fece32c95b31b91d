import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from './table.ts';

type Item = Record<string, unknown>;

/**
 * Yields every item of a query, page by page, until the caller stops. `Limit` is the size of the first page. Each
 * further page has four times the size, so that a filter that matches few items costs few calls.
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

/** Reads the items of one partition of the table, optionally only those with a sort key prefix, consistently. */
export function queryPartition(table: Table, pk: string, prefix?: string): AsyncGenerator<Item> {
  return queryItems(table, { ConsistentRead: true, ...keyCondition('pk', 'sk', pk, prefix) });
}

/**
 * Reads the keys under one partition of an index, optionally only those with a sort key prefix. `first` is the size of
 * the first page for a caller that may stop early.
 */
export function queryIndex(
  table: Table,
  index: 'gsi1' | 'gsi2',
  pk: string,
  prefix?: string,
  first?: number,
): AsyncGenerator<Item> {
  return queryItems(table, {
    IndexName: index,
    ...(first && { Limit: first }),
    ...keyCondition(`${index}pk`, `${index}sk`, pk, prefix),
  });
}

/** DynamoDB rejects an empty text as the value of a key, so there is no condition on the sort key without a prefix. */
function keyCondition(pkName: string, skName: string, pk: string, prefix: string | undefined) {
  if (prefix === undefined) {
    return { KeyConditionExpression: `${pkName} = :pk`, ExpressionAttributeValues: { ':pk': pk } };
  }
  return {
    KeyConditionExpression: `${pkName} = :pk AND begins_with(${skName}, :prefix)`,
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
  };
}
