import type { PageBounds, Position } from '#shared/base/paging.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryFilter, DeliveryStore } from './delivery-store.ts';
import { oldestKept, takeDeliveries } from './find-deliveries.ts';

export interface DeliveryPageQuery {
  subscriber: string;
  filter: Omit<DeliveryFilter, 'since'> & { since: number | undefined };
  limit: number;
  from: Position | undefined;
}

export interface ListContext {
  deliveries: Pick<DeliveryStore, 'search'>;
  now: Clock;
}

/**
 * A page of a subscriber's deliveries, newest first. It holds fewer than `limit`, and more follow, where few are
 * wanted.
 */
export async function readDeliveryPage(
  { subscriber, filter, limit, from }: DeliveryPageQuery,
  { deliveries, now }: ListContext,
): Promise<PageBounds & { deliveries: Delivery[] }> {
  const backward = from?.towards === 'newer';
  const search = deliveries.search({
    subscriber,
    order: backward ? 'oldest-first' : 'newest-first',
    after: from?.item,
    wanted: limit,
    filter: { ...filter, since: Math.max(filter.since ?? 0, oldestKept(now())) },
  });
  const found = await takeDeliveries(search, limit, {
    now,
    isNarrow: filter.state !== undefined || filter.target !== undefined,
  });
  const page = backward ? found.deliveries.toReversed() : found.deliveries;
  return {
    deliveries: page,
    newest: backward ? found.reached : page[0]?.id,
    oldest: backward ? page.at(-1)?.id : found.reached,
    more: found.more,
  };
}
