import { dayMs } from '#shared/base/time/duration.ts';
import type { Delivery } from '#shared/domain/deliveries/delivery.ts';
import type { DeliveryFilter, DeliveryQuery, SearchStep } from '#shared/domain/deliveries/delivery-store.ts';
import { type Target, targets } from '#shared/domain/subscribers/target.ts';
import { fromItem } from '../table/item.ts';
import { deliveryPartition, deliveryShards, isIndexed, keys } from '../table/keys.ts';
import { firstPage, mergePages, queryPages } from '../table/merge-pages.ts';
import type { Table } from '../table/table.ts';
import { listByState } from './indexed-deliveries.ts';
import { listOffTime, offTimeMs } from './off-time-deliveries.ts';

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
        ':low': keys.delivery(subscriber, 'webhook', low).sk,
        ':high': keys.delivery(subscriber, 'webhook', high).sk,
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
