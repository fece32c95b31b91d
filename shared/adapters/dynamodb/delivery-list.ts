import { dayMs } from '#shared/base/duration.ts';
import { targets } from '#shared/domain/accounts/number.ts';
import type { Delivery } from '#shared/domain/deliveries/delivery.ts';
import type { DeliveryFilter, DeliveryQuery, SearchStep } from '#shared/domain/deliveries/delivery-store.ts';
import { listByState } from './indexed-deliveries.ts';
import { fromItem } from './item.ts';
import { deliveryPartition, deliveryShards, type IndexedState, isIndexed, keys } from './keys.ts';
import { firstPage, mergePages, queryPages } from './merge-pages.ts';
import type { Table } from './table.ts';

/** The number of deliveries that a search expects to return by default. */
const usuallyWanted = 100;

/** If a filter matches only some deliveries, the first read fetches this many for each wanted one. */
const lookedAtPerWanted = 4;

/** No delivery is created later than this. */
const endOfTime = Date.UTC(9999, 0);

/** An id begins with the event's time, which may be up to a day after the delivery's creation (see `eventTime`). */
const aheadMs = dayMs;

/** Searches the deliveries of a number in the order of their ids. */
export async function* searchDeliveries(table: Table, query: DeliveryQuery): AsyncGenerator<SearchStep> {
  const { low, high } = idRange(query);
  const { state, since, until } = query.filter;
  // DynamoDB rejects a range that ends before it begins.
  if (low > high || since > (until ?? endOfTime)) return;
  yield* state && isIndexed(state)
    ? searchIndex(table, query, { state, low, high })
    : searchLog(table, query, { low, high });
}

/** Reads only the deliveries that an index finds in the wanted state. */
async function* searchIndex(
  table: Table,
  { number, order, after, filter, wanted = usuallyWanted }: DeliveryQuery,
  range: { state: IndexedState; low: string; high: string },
): AsyncGenerator<SearchStep> {
  const wantedTargets = filter.target ? [filter.target] : targets;
  // One more shows whether there are more.
  const query = { number, targets: wantedTargets, order, after, wanted: wanted + 1, ...range };
  for await (const delivery of listByState(table, query)) {
    const { since, until = endOfTime } = filter;
    const isWanted = delivery.state === range.state && delivery.created_at >= since && delivery.created_at <= until;
    yield { id: delivery.id, ...(isWanted && { delivery }) };
  }
}

/** Searches the partitions of a number's deliveries in parallel and merges the results by id. */
async function* searchLog(
  table: Table,
  { number, order, after, filter, wanted = usuallyWanted }: DeliveryQuery,
  { low, high }: { low: string; high: string },
): AsyncGenerator<SearchStep> {
  const isNarrow = filter.state !== undefined || filter.target !== undefined;
  const limit = firstPage(wanted, deliveryShards) * (isNarrow ? lookedAtPerWanted : 1);
  const partitions = Array.from({ length: deliveryShards }, (_, shard) => {
    const inPartition = {
      ConsistentRead: true,
      ScanIndexForward: order === 'oldest-first',
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
      ...filterExpression(filter, {
        ':pk': deliveryPartition(number, shard),
        ':low': keys.delivery(number, low).sk,
        ':high': keys.delivery(number, high).sk,
      }),
    };
    return queryPages(table, inPartition, limit, toSteps);
  });
  const precedes = (one: SearchStep, other: SearchStep) => one.id < other.id === (order === 'oldest-first');
  for await (const step of mergePages(partitions, precedes)) {
    // BETWEEN includes its bounds.
    if (step.id !== after) yield step;
  }
}

function toSteps(items: readonly Record<string, unknown>[], end: Record<string, unknown> | undefined): SearchStep[] {
  const found = items.flatMap((item) => fromItem<Delivery>(item) ?? []);
  const steps: SearchStep[] = found.map((delivery) => ({ id: delivery.id, delivery }));
  return end ? [...steps, { id: String(end.sk).replace(/^.*#/, '') }] : steps;
}

/** How long after an event the upstream may still send it: it repeats events for up to seven days. */
const lateMs = 8 * dayMs;

function idRange({ order, after, filter }: DeliveryQuery): { low: string; high: string } {
  const highest = lastIdAt(Math.max(0, (filter.until ?? endOfTime) + aheadMs));
  const lowest = lastIdAt(Math.max(0, filter.since - lateMs));
  if (after === undefined) return { low: lowest, high: highest };
  if (order === 'oldest-first') return { low: after > lowest ? after : lowest, high: highest };
  return { low: lowest, high: after < highest ? after : highest };
}

/** The highest id that an event of this time can have. */
function lastIdAt(timestampMs: number): string {
  const time = timestampMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-ffff-ffff-ffffffffffff`;
}

function filterExpression(
  { since, until = endOfTime, state, target }: DeliveryFilter,
  values: Record<string, unknown>,
) {
  const conditions = ['created_at BETWEEN :since AND :until'];
  if (state) conditions.push('#state = :state');
  if (target) conditions.push('target = :target');
  return {
    FilterExpression: conditions.join(' AND '),
    ...(state && { ExpressionAttributeNames: { '#state': 'state' } }),
    ExpressionAttributeValues: {
      ...values,
      ':since': since,
      ':until': until,
      ...(state && { ':state': state }),
      ...(target && { ':target': target }),
    },
  };
}
