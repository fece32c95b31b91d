import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { evenBatches, fromItem, readRecords } from '#shared/aws/item.ts';
import { firstPage, mergePages, queryPages } from '#shared/aws/query.ts';
import { maxKeys, type Table } from '#shared/aws/table.ts';
import { dayMs } from '#shared/base/time.ts';
import { type Target, targets } from '#shared/webhooks/target.ts';
import { type Delivery, deliveryKeptMs } from './delivery.ts';
import {
  deliveryKeys,
  deliveryPartition,
  deliveryShards,
  dueBefore,
  duePartition,
  dueShards,
  type IndexedState,
  isIndexed,
  offTimePartition,
  offTimeShards,
  stateIndex,
  stateShards,
} from './delivery-keys.ts';
import type { DeliveryFilter, DeliveryKey, DeliveryQuery, DueDelivery, SearchStep } from './delivery-records.ts';

/** When DynamoDB deletes what is stored of a delivery. */
export function deliveryExpiry({ created_at }: Pick<Delivery, 'created_at'>) {
  return { expires_at_seconds: Math.ceil((created_at + deliveryKeptMs) / 1000) };
}

/** The number of deliveries that a search expects to return by default. */
const usuallyWanted = 100;

/** If a filter matches only some deliveries, the first read fetches this many for each wanted one. */
const lookedAtPerWanted = 4;

/** No delivery is created later than this. */
const endOfTime = Date.UTC(9999, 0);

/** An id begins with the event's time, which may be up to a day after the delivery's creation (see `eventTime`). */
const aheadMs = dayMs;

/** The ids between two bounds. Only a search that continues has a delivery's id as a bound. */
interface IdRange {
  low: string;
  high: string;
}

/**
 * Searches the deliveries of a subscriber in the order of their ids: those whose event happened when they were created,
 * and before and behind them those that came late, or from an upstream whose clock is ahead.
 */
export async function* searchDeliveries(table: Table, query: DeliveryQuery): AsyncGenerator<SearchStep> {
  const { order, after, wanted = usuallyWanted } = query;
  const { state, since, until } = query.filter;
  if (since > (until ?? endOfTime)) return;
  const [begin, end] = [lastIdAt(since - offTimeMs - 1), lastIdAt((until ?? endOfTime) + offTimeMs)];
  // An event may be years old when the upstream sends it.
  const late = { low: lastIdAt(0), high: begin };
  const ahead = { low: end, high: until === undefined ? end : lastIdAt(until + aheadMs) };
  // One more shows whether there are more.
  const expecting = { ...query, wanted: wanted + 1 };
  const parts: [IdRange, (range: IdRange) => AsyncGenerator<SearchStep>][] = [
    [late, (range) => wantedSteps(listOffTime(table, expecting, range), query)],
    [
      { low: begin, high: end },
      (range) =>
        state && isIndexed(state)
          ? wantedSteps(listByState(table, { ...expecting, ...range, state, targets: wantedTargets(query) }), query)
          : searchLog(table, query, range),
    ],
    [ahead, (range) => wantedSteps(listOffTime(table, expecting, range), query)],
  ];
  for (const [range, search] of order === 'oldest-first' ? parts : parts.toReversed()) {
    const { low, high } = behind(range, after, order);
    if (low < high) yield* search({ low, high });
  }
}

const wantedTargets = ({ filter }: DeliveryQuery): readonly Target[] => (filter.target ? [filter.target] : targets);

/** The steps of a search through deliveries of which some are not wanted. */
async function* wantedSteps(
  deliveries: AsyncIterable<Delivery>,
  { after, filter }: DeliveryQuery,
): AsyncGenerator<SearchStep> {
  const { since, until = endOfTime, state, target } = filter;
  for await (const delivery of deliveries) {
    // BETWEEN includes its bounds.
    if (delivery.id === after) continue;
    const isWanted =
      delivery.created_at >= since &&
      delivery.created_at <= until &&
      (state === undefined || delivery.state === state) &&
      (target === undefined || delivery.target === target);
    yield { id: delivery.id, ...(isWanted && { delivery }) };
  }
}

/** Searches the partitions of a subscriber's deliveries in parallel and merges the results by id. */
async function* searchLog(table: Table, query: DeliveryQuery, { low, high }: IdRange): AsyncGenerator<SearchStep> {
  const { subscriber, order, after, filter, wanted = usuallyWanted } = query;
  const partitions = wantedTargets(query).flatMap((target) =>
    Array.from({ length: deliveryShards[target] }, (_, shard) => deliveryPartition(subscriber, target, shard)),
  );
  const limit = firstPage(wanted, partitions.length) * (filter.state ? lookedAtPerWanted : 1);
  const pages = partitions.map((partition) => {
    const inPartition = {
      ConsistentRead: true,
      ScanIndexForward: order === 'oldest-first',
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
      ...filterExpression(filter, {
        ':pk': partition,
        ':low': deliveryKeys.delivery(subscriber, 'webhook', low).sk,
        ':high': deliveryKeys.delivery(subscriber, 'webhook', high).sk,
      }),
    };
    return queryPages(table, inPartition, limit, toSteps);
  });
  const precedes = (one: SearchStep, other: SearchStep) => one.id < other.id === (order === 'oldest-first');
  for await (const step of mergePages(pages, precedes)) {
    // BETWEEN includes its bounds.
    if (step.id !== after) yield step;
  }
}

function toSteps(items: readonly Record<string, unknown>[], end: Record<string, unknown> | undefined): SearchStep[] {
  const found = items.flatMap((item) => fromItem<Delivery>(item) ?? []);
  const steps: SearchStep[] = found.map((delivery) => ({ id: delivery.id, delivery }));
  return end ? [...steps, { id: String(end.sk).replace(/^.*#/, '') }] : steps;
}

function behind({ low, high }: IdRange, after: string | undefined, order: DeliveryQuery['order']): IdRange {
  if (after === undefined) return { low, high };
  return order === 'oldest-first'
    ? { low: after > low ? after : low, high }
    : { low, high: after < high ? after : high };
}

/** The highest id that an event of this time can have. */
function lastIdAt(timestampMs: number): string {
  const time = Math.max(0, timestampMs).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-ffff-ffff-ffffffffffff`;
}

function filterExpression({ since, until = endOfTime, state }: DeliveryFilter, values: Record<string, unknown>) {
  return {
    FilterExpression: `created_at BETWEEN :since AND :until${state ? ' AND #state = :state' : ''}`,
    ...(state && { ExpressionAttributeNames: { '#state': 'state' } }),
    ExpressionAttributeValues: { ...values, ':since': since, ':until': until, ...(state && { ':state': state }) },
  };
}

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
  const sortKey = (id: string) => deliveryKeys.delivery(subscriber, 'webhook', id).sk;
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
  const Item = { ...deliveryKeys.offTime(subscriber, id), target, ...deliveryExpiry(delivery) };
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
      .map(({ sk, target }) => deliveryKeys.delivery(subscriber, target as Target, String(sk).replace(/^.*#/, '')));
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
          ':low': deliveryKeys.offTime(subscriber, low).sk,
          ':high': deliveryKeys.offTime(subscriber, high).sk,
        },
      },
      firstPage(all, offTimeShards),
      toKeys,
    ),
  );
  const found = mergePages(partitions, (one, other) => one.sk < other.sk === (order === 'oldest-first'));
  yield* readRecords<Delivery>(table, found, { atOnce });
}
