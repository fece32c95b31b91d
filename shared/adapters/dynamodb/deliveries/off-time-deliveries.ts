import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Delivery } from '#shared/domain/deliveries/delivery.ts';
import type { DeliveryKey, DeliveryQuery } from '#shared/domain/deliveries/delivery-store.ts';
import type { Target } from '#shared/domain/subscribers/target.ts';
import { evenBatches, readRecords } from '../table/item.ts';
import { keys, offTimePartition, offTimeShards } from '../table/keys.ts';
import { firstPage, mergePages, queryPages } from '../table/merge-pages.ts';
import type { Table } from '../table/table.ts';
import { deliveryExpiry } from './delivery-expiry.ts';

/**
 * Ids sort by the time of the event, but a search is for times of creation. Hardly any delivery is created more than
 * this before or after its event. Those that are have an entry of their own, so that a search reads only this much of
 * the log beyond the times that it is for.
 */
export const offTimeMs = 15_000;

/** Whether a delivery needs such an entry. */
export function isOffTime({ id, created_at }: Pick<Delivery, 'id' | 'created_at'>): boolean {
  const eventTimeMs = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  return Math.abs(created_at - eventTimeMs) > offTimeMs;
}

/** Makes the entry of a delivery that is off time, before the delivery itself is created. */
export async function enterOffTime(
  { client, name: TableName }: Table,
  delivery: DeliveryKey & Pick<Delivery, 'created_at'>,
): Promise<void> {
  const { subscriber, target, id } = delivery;
  const Item = { ...keys.offTime(subscriber, id), target, ...deliveryExpiry(delivery) };
  await client.send(new PutCommand({ TableName, Item }));
}

/**
 * Lists the deliveries with such an entry that were not created before `since`, in the order of their ids. An entry has
 * no time of creation, but it expires a fixed time later. The bounds are not ids of deliveries.
 */
export async function* listOffTime(
  table: Table,
  { subscriber, order, filter, wanted }: DeliveryQuery & { wanted: number },
  { low, high }: { low: string; high: string },
): AsyncGenerator<Delivery> {
  const { atOnce, all } = evenBatches(wanted);
  const toKeys = (items: readonly Record<string, unknown>[]) =>
    items
      .filter(({ target }) => filter.target === undefined || target === filter.target)
      .map(({ sk, target }) => keys.delivery(subscriber, target as Target, String(sk).replace(/^.*#/, '')));
  const partitions = Array.from({ length: offTimeShards }, (_, shard) =>
    queryPages(
      table,
      {
        ConsistentRead: true,
        ScanIndexForward: order === 'oldest-first',
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
        FilterExpression: 'expires_at_seconds >= :expiry',
        ExpressionAttributeValues: {
          ':expiry': deliveryExpiry({ created_at: filter.since }).expires_at_seconds,
          ':pk': offTimePartition(subscriber, shard),
          ':low': keys.offTime(subscriber, low).sk,
          ':high': keys.offTime(subscriber, high).sk,
        },
      },
      firstPage(all, offTimeShards),
      toKeys,
    ),
  );
  const found = mergePages(partitions, (one, other) => one.sk < other.sk === (order === 'oldest-first'));
  yield* readRecords<Delivery>(table, found, { atOnce });
}
