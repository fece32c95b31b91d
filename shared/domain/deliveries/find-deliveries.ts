import { parseUuid } from '#shared/base/ids.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryStore, SearchStep } from './delivery-store.ts';
import { deliveryKeptDays, deliveryKeptMs } from './limits.ts';

/**
 * A search ends here however little it has found: a subscriber can have millions of deliveries, and the gateway waits
 * 30 s.
 */
const longestSearchMs = 8_000;

/**
 * After a full page, the search looks at up to this many steps without a delivery, one for each part of the log. With a
 * filter, one such step can stand for many reads, so the search then looks at none.
 */
const maxLooksAhead = 64;

export interface Found {
  deliveries: Delivery[];
  /** Id of the last delivery that the search has passed, from which the next one goes on. */
  reached: string | undefined;
  /** Whether there may be more. */
  more: boolean;
}

/** The first deliveries of a search, at most `count`. */
export async function takeDeliveries(
  search: AsyncIterable<SearchStep>,
  count: number,
  { now, isNarrow }: { now: Clock; isNarrow: boolean },
): Promise<Found> {
  const deadline = now() + longestSearchMs;
  const deliveries: Delivery[] = [];
  let reached: string | undefined;
  let looksAhead = 0;
  for await (const { id, delivery } of search) {
    const isFull = deliveries.length === count;
    // A full page may be the last one: a step without a delivery does not show that there are more.
    if (isFull && (delivery || isNarrow || ++looksAhead === maxLooksAhead)) return { deliveries, reached, more: true };
    if (delivery) deliveries.push(delivery);
    if (!isFull) reached = id;
    if (now() >= deadline) return { deliveries, reached, more: true };
  }
  return { deliveries, reached, more: false };
}

/** The subscriber's delivery with this id; `not-found` without one, or when it is as old as those that are deleted. */
export async function existingDelivery(
  subscriber: string,
  id: string | undefined,
  { deliveries, now }: { deliveries: Pick<DeliveryStore, 'get'>; now: Clock },
): Promise<Delivery> {
  const uuid = parseUuid(id);
  const delivery = uuid && (await deliveries.get(subscriber, uuid));
  if (!delivery || delivery.created_at < oldestKept(now())) {
    throw new ServiceError('delivery.not-found', { values: { days: deliveryKeptDays } });
  }
  return delivery;
}

/** Deliveries created before this time count as gone. DynamoDB deletes expired items some time later. */
export function oldestKept(now: number): number {
  return now - deliveryKeptMs;
}
