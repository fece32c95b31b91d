import type { Target } from '#shared/domain/accounts/number.ts';
import type { Delivery } from '#shared/domain/deliveries/delivery.ts';
import type { DeliveryQuery, DueDelivery } from '#shared/domain/deliveries/delivery-store.ts';
import { mostKeys } from './batch-get.ts';
import { fromItem, readRecords } from './item.ts';
import { dueBefore, duePartition, dueShards, heldPartition, heldShards, indexKeys } from './keys.ts';
import { firstPage, mergePages, queryPages } from './merge-pages.ts';
import type { Table } from './table.ts';

/** Lists the waiting deliveries of all numbers that are due before this time, the earliest first. */
export async function* listDue(table: Table, before: number): AsyncGenerator<DueDelivery> {
  const shards = Array.from({ length: dueShards }, (_, shard) =>
    queryPages(
      table,
      {
        IndexName: 'gsi1',
        KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk < :before',
        ExpressionAttributeValues: { ':pk': duePartition(shard), ':before': dueBefore(before) },
      },
      mostKeys,
      (items) => [...items],
    ),
  );
  const toRecord = (item: Record<string, unknown> | undefined) => {
    const delivery = fromItem<Delivery>(item);
    return delivery && { ...delivery, due_key: String(item?.gsi1sk) };
  };
  for await (const due of readRecords<DueDelivery>(table, mergePages(shards, byIndexKey('oldest-first')), {
    toRecord,
  })) {
    // The index may lag behind: a delivery that another sweep has postponed is not due.
    if (due.state === 'waiting' && due.due_key < dueBefore(before)) yield due;
  }
}

/** Lists the deliveries that are held for a target. */
export async function* listHeld(
  table: Table,
  number: string,
  target: Target,
  {
    after,
    order = 'oldest-first',
    wanted = mostKeys,
  }: { after?: string | undefined; order?: DeliveryQuery['order']; wanted?: number } = {},
): AsyncGenerator<Delivery> {
  const behind = order === 'oldest-first' ? '>' : '<';
  const shards = Array.from({ length: heldShards }, (_, shard) =>
    queryPages(
      table,
      {
        IndexName: 'gsi1',
        ScanIndexForward: order === 'oldest-first',
        KeyConditionExpression: `gsi1pk = :pk${after === undefined ? '' : ` AND gsi1sk ${behind} :after`}`,
        ExpressionAttributeValues: {
          ':pk': heldPartition(number, target, shard),
          ...(after !== undefined && { ':after': indexKeys.held(number, target, after).gsi1sk }),
        },
      },
      firstPage(wanted, heldShards),
      (items) => [...items],
    ),
  );
  const held = mergePages(shards, byIndexKey(order));
  for await (const delivery of readRecords<Delivery>(table, held, { atOnce: wanted })) {
    if (delivery.state === 'held') yield delivery;
  }
}

const byIndexKey = (order: DeliveryQuery['order']) => (one: Record<string, unknown>, other: Record<string, unknown>) =>
  String(one.gsi1sk) < String(other.gsi1sk) === (order === 'oldest-first');
