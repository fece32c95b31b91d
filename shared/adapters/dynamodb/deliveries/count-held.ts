import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { type Target, targets } from '#shared/domain/subscribers/target.ts';
import { stateIndex, stateShards } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** Counts the notifications that are held for a subscriber, by the keys in the index, which may lag behind. */
export async function countHeld(table: Table, subscriber: string): Promise<number> {
  const counts = await Promise.all(targets.map((target) => countFor(table, subscriber, target)));
  return sum(counts);
}

async function countFor(table: Table, subscriber: string, target: Target): Promise<number> {
  const shards = Array.from({ length: stateShards }, (_, shard) => stateIndex('held', subscriber, target, shard));
  return sum(await Promise.all(shards.map(({ index, partition }) => countIn(table, index, partition))));
}

async function countIn(table: Table, index: 'gsi1' | 'gsi2', partition: string): Promise<number> {
  let count = 0;
  let start: QueryCommandInput['ExclusiveStartKey'];
  do {
    const page = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        IndexName: index,
        Select: 'COUNT',
        KeyConditionExpression: `${index}pk = :pk`,
        ExpressionAttributeValues: { ':pk': partition },
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    count += page.Count ?? 0;
    start = page.LastEvaluatedKey;
  } while (start);
  return count;
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
