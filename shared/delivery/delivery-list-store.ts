import {
  deliveryPartition,
  dueBefore,
  duePartition,
  eachShard,
  type IndexedState,
  isIndexed,
  keys,
  stateIndex,
} from '#shared/aws/keys.ts';
import { firstPage, mergePages, queryPages } from '#shared/aws/pages.ts';
import { evenBatches, fromItem, maxKeys, queryIndex, readRecords, type Table } from '#shared/aws/table.ts';
import { dayMs } from '#shared/base/time.ts';
import type { Target } from '#shared/webhooks/subscriber.ts';
import type { Delivery, DeliveryState, DueDelivery } from './delivery.ts';

export interface DeliveryQuery {
  subscriber: string;
  /** The deliveries to these. */
  targets: readonly Target[];
  order: 'newest-first' | 'oldest-first';
  /** Goes on behind the delivery with this id, which need not exist. */
  after?: string | undefined;
  filter: DeliveryFilter;
  /** How many deliveries the caller will take, if that is known. The first reads fetch no more than that needs. */
  wanted?: number;
}

/** Which deliveries are wanted; times are epoch milliseconds of their creation, both included. */
export interface DeliveryFilter {
  since?: number | undefined;
  until?: number | undefined;
  state?: DeliveryState | undefined;
}

/** How far a search has come. A step has no delivery when the search has passed over many that are not wanted. */
export interface SearchStep {
  id: string;
  delivery?: Delivery;
}

/** The lists of deliveries. */
export const deliveryLists = (table: Table) => ({
  search: (query: DeliveryQuery) => searchDeliveries(table, query),

  /** Lists the waiting deliveries that the sweep has to check before this time, soonest first. */
  listDue: (before: number) => listDue(table, before),

  /**
   * Held deliveries of a target, by default oldest first, those behind the delivery with this id. Reads `wanted` at
   * once.
   */
  listHeld: (subscriber: string, target: Target, options?: HeldOptions) => listHeld(table, subscriber, target, options),
});

/** The number of deliveries that a search expects to return by default. */
const usuallyWanted = 100;

/** If a filter matches only some deliveries, the first read fetches this many for each wanted one. */
const lookedAtPerWanted = 4;

/**
 * Ids begin with the time of the event, but a search is for times of creation, so it reads this much more of the log on
 * both sides. No event is further ahead (see `eventTime`). One that comes later is found without a time, or by its state.
 */
const longestOffsetMs = dayMs;

/** No delivery is created later than this. */
const endOfTime = Date.UTC(9999, 0);

/** Searches the deliveries of a subscriber in the order of their ids. */
async function* searchDeliveries(table: Table, query: DeliveryQuery): AsyncGenerator<SearchStep> {
  const { filter, wanted = usuallyWanted } = query;
  const { state, since = 0, until = endOfTime } = filter;
  if (since > until) return;
  if (!state || !isIndexed(state)) return yield* searchLog(table, query);
  // One more shows whether there are more.
  for await (const delivery of listByState(table, { ...query, state, wanted: wanted + 1 })) {
    const isWanted = delivery.state === state && delivery.created_at >= since && delivery.created_at <= until;
    yield { id: delivery.id, ...(isWanted && { delivery }) };
  }
}

/** Searches the partitions of a subscriber's deliveries in parallel and merges the results by id. */
async function* searchLog(table: Table, query: DeliveryQuery): AsyncGenerator<SearchStep> {
  const { subscriber, targets, order, after, filter, wanted = usuallyWanted } = query;
  const { since = 0, until = endOfTime, state } = filter;
  const low = since === 0 ? lowestId : lastIdAt(since - longestOffsetMs - 1);
  const bounds = behind(after, order, { low, high: lastIdAt(until + longestOffsetMs) });
  if (bounds.low >= bounds.high) return;
  const partitions = targets.flatMap((target) => eachShard((shard) => deliveryPartition(subscriber, target, shard)));
  const limit = firstPage(wanted, partitions.length) * (state ? lookedAtPerWanted : 1);
  const pages = partitions.map((partition) => {
    const inPartition = {
      ConsistentRead: true,
      ScanIndexForward: order === 'oldest-first',
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
      FilterExpression: `created_at BETWEEN :since AND :until${state ? ' AND #state = :state' : ''}`,
      ...(state && { ExpressionAttributeNames: { '#state': 'state' } }),
      ExpressionAttributeValues: {
        ':pk': partition,
        ':low': sortKey(bounds.low),
        ':high': sortKey(bounds.high),
        ':since': since,
        ':until': until,
        ...(state && { ':state': state }),
      },
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

const lowestId = '00000000-0000-0000-0000-000000000000';
const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The lowest and the highest id of a list that goes on behind a delivery. */
function behind(
  after: string | undefined,
  order: DeliveryQuery['order'],
  { low, high } = { low: lowestId, high: highestId },
) {
  if (after === undefined) return { low, high };
  return order === 'oldest-first'
    ? { low: after > low ? after : low, high }
    : { low, high: after < high ? after : high };
}

/** The sort key of a delivery is the same for every target. */
const sortKey = (id: string) => keys.delivery('any', 'webhook', id).sk;

/** The highest id that an event of this time can have. */
function lastIdAt(timestampMs: number): string {
  const time = Math.max(0, timestampMs).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-ffff-ffff-ffffffffffff`;
}

/** Lists the waiting deliveries of all subscribers that are due before this time, the earliest first. */
async function* listDue(table: Table, before: number): AsyncGenerator<DueDelivery> {
  const shards = eachShard((shard) =>
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
  const found = mergePages(shards, (one, other) => String(one.gsi1sk) < String(other.gsi1sk));
  for await (const due of readRecords<DueDelivery>(table, found, { toRecord })) {
    // The index may lag behind: a delivery that another sweep has postponed is not due.
    if (due.state === 'waiting' && due.due_key < dueBefore(before)) yield due;
  }
}

/** Which deliveries of a subscriber are listed, and how. */
type StateQuery = Pick<DeliveryQuery, 'subscriber' | 'targets' | 'order' | 'after'> & {
  state: IndexedState;
  wanted: number;
};

/**
 * Lists the deliveries that an index finds by their state, in the order of their ids. The index may lag behind: some
 * may be in another state by now.
 */
async function* listByState(
  table: Table,
  { state, subscriber, targets, order, after, wanted }: StateQuery,
): AsyncGenerator<Delivery> {
  const { low, high } = behind(after, order);
  const partitions = targets.flatMap((target) => eachShard((shard) => stateIndex(state, subscriber, target, shard)));
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

type HeldOptions = Partial<Pick<DeliveryQuery, 'after' | 'order' | 'wanted'>>;

/** Lists the deliveries that are held for a target. */
async function* listHeld(
  table: Table,
  subscriber: string,
  target: Target,
  { after, order = 'oldest-first', wanted = maxKeys }: HeldOptions = {},
): AsyncGenerator<Delivery> {
  const query = { state: 'held', subscriber, targets: [target], order, after, wanted } as const;
  for await (const delivery of listByState(table, query)) {
    if (delivery.state === 'held') yield delivery;
  }
}

/** Counts the notifications that are held for these targets, by the keys in the index, which may lag behind. */
export async function countHeld(table: Table, subscriber: string, targets: readonly Target[]): Promise<number> {
  const lists = targets.flatMap((target) => eachShard((shard) => stateIndex('held', subscriber, target, shard)));
  let count = 0;
  const countIn = async ({ index, partition }: (typeof lists)[number]) => {
    for await (const _ of queryIndex(table, index, partition)) count++;
  };
  await Promise.all(lists.map(countIn));
  return count;
}
