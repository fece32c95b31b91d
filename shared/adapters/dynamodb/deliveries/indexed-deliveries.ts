import type { Delivery } from '#shared/domain/deliveries/delivery.ts';
import type { DeliveryQuery, DueDelivery } from '#shared/domain/deliveries/delivery-store.ts';
import type { Target } from '#shared/domain/subscribers/target.ts';
import { maxKeys } from '../table/batch-get.ts';
import { evenBatches, fromItem, readRecords } from '../table/item.ts';
import { dueBefore, duePartition, dueShards, type IndexedState, keys, stateIndex, stateShards } from '../table/keys.ts';
import { firstPage, mergePages, queryPages } from '../table/merge-pages.ts';
import type { Table } from '../table/table.ts';

/** Lists the waiting deliveries of all subscribers that are due before this time, the earliest first. */
export async function* listDue(table: Table, before: number): AsyncGenerator<DueDelivery> {
  const shards = Array.from({ length: dueShards }, (_, shard) =>
    queryPages(
      table,
      {
        IndexName: 'gsi1',
        KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk < :before',
        ExpressionAttributeValues: { ':pk': duePartition(shard), ':before': dueBefore(before) },
      },
      maxKeys,
      (items) => [...items],
    ),
  );
  const toRecord = (item: Record<string, unknown> | undefined) => {
    const delivery = fromItem<Delivery>(item);
    return delivery && { ...delivery, due_key: String(item?.gsi1sk) };
  };
  for await (const due of readRecords<DueDelivery>(
    table,
    mergePages(shards, (one, other) => String(one.gsi1sk) < String(other.gsi1sk)),
    {
      toRecord,
    },
  )) {
    // The index may lag behind: a delivery that another sweep has postponed is not due.
    if (due.state === 'waiting' && due.due_key < dueBefore(before)) yield due;
  }
}

/** Which deliveries of a subscriber are listed, and how. */
interface StateQuery {
  state: IndexedState;
  subscriber: string;
  targets: readonly Target[];
  order: DeliveryQuery['order'];
  /** The lowest and the highest id. */
  low?: string;
  high?: string;
  /** The id behind which the list goes on. */
  after?: string | undefined;
  /** How many deliveries the caller will probably take. */
  wanted: number;
}

/**
 * Lists the deliveries that an index finds by their state, in the order of their ids. The index may lag behind: some
 * may be in another state by now.
 */
export async function* listByState(
  table: Table,
  { state, subscriber, targets, order, low = lowestId, high = highestId, after, wanted }: StateQuery,
): AsyncGenerator<Delivery> {
  const sortKey = (id: string) => keys.delivery(subscriber, 'webhook', id).sk;
  const partitions = targets.flatMap((target) =>
    Array.from({ length: stateShards }, (_, shard) => stateIndex(state, subscriber, target, shard)),
  );
  const { atOnce, all } = evenBatches(wanted);
  const lists = partitions.map(({ index, partition }) =>
    queryPages(
      table,
      {
        IndexName: index,
        ScanIndexForward: order === 'oldest-first',
        KeyConditionExpression: `${index}pk = :pk AND ${index}sk BETWEEN :low AND :high`,
        ExpressionAttributeValues: { ':pk': partition, ':low': sortKey(low), ':high': sortKey(high) },
      },
      firstPage(all, partitions.length),
      // BETWEEN includes its bounds.
      (items) => items.filter(({ sk }) => after === undefined || sk !== sortKey(after)),
    ),
  );
  const found = mergePages(lists, (one, other) => String(one.sk) < String(other.sk) === (order === 'oldest-first'));
  yield* readRecords<Delivery>(table, found, { atOnce });
}

/** Lists the deliveries that are held for a target. */
export async function* listHeld(
  table: Table,
  subscriber: string,
  target: Target,
  {
    after,
    order = 'oldest-first',
    wanted = maxKeys,
  }: { after?: string | undefined; order?: DeliveryQuery['order']; wanted?: number } = {},
): AsyncGenerator<Delivery> {
  const behind = after !== undefined && (order === 'oldest-first' ? { low: after } : { high: after });
  const query = { state: 'held', subscriber, targets: [target], order, after, wanted, ...behind } as const;
  for await (const delivery of listByState(table, query)) {
    if (delivery.state === 'held') yield delivery;
  }
}

const lowestId = '00000000-0000-0000-0000-000000000000';
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
