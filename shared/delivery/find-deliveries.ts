import { parseUuid } from '#shared/base/ids.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import type { Clock } from '#shared/base/time.ts';
import type { PageBounds, Position } from '#shared/http/page.ts';
import {
  chosenTarget,
  type DeliverySettings,
  type Target,
  targetsOf,
  urlRemovedSince,
} from '#shared/webhooks/subscriber.ts';
import type { TargetStore } from '#shared/webhooks/subscriber-store.ts';
import { type Delivery, deliveryKeptDays, deliveryKeptMs } from './delivery.ts';
import type { DeliveryFilter, SearchStep } from './delivery-list-store.ts';
import type { DeliveryStore } from './delivery-store.ts';

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

/** Takes the first deliveries of a search, at most `count`. It skips those that have expired but are not deleted yet. */
export async function takeDeliveries(
  search: AsyncIterable<SearchStep>,
  count: number,
  { now, isNarrow }: { now: Clock; isNarrow: boolean },
): Promise<Found> {
  const deadline = now() + longestSearchMs;
  const oldest = oldestKept(now());
  const deliveries: Delivery[] = [];
  let reached: string | undefined;
  let looksAhead = 0;
  for await (const { id, delivery: found } of search) {
    const delivery = found && found.created_at >= oldest ? found : undefined;
    const isFull = deliveries.length === count;
    // A full page may be the last one: a step without a delivery does not show that there are more.
    if (isFull && (delivery || isNarrow || ++looksAhead === maxLooksAhead)) return { deliveries, reached, more: true };
    if (delivery) deliveries.push(delivery);
    if (!isFull) reached = id;
    if (now() >= deadline) return { deliveries, reached, more: true };
  }
  return { deliveries, reached, more: false };
}

export interface FindContext {
  deliveries: Pick<DeliveryStore, 'get'>;
  targets: Pick<TargetStore, 'read'>;
  now: Clock;
}

/** The subscriber's delivery with this id; `not-found` without one, or when it is as old as those that are deleted. */
export async function existingDelivery(
  subscriber: string,
  id: string | undefined,
  { deliveries, targets, now }: FindContext,
): Promise<Delivery> {
  const uuid = parseUuid(id);
  const settings = uuid && (await targets.read(subscriber));
  const delivery = settings && (await deliveries.get(subscriber, uuid, targetsOf(settings)));
  if (!delivery || delivery.created_at < oldestKept(now())) {
    throw new ServiceError('delivery.not-found', { values: { days: deliveryKeptDays } });
  }
  return delivery;
}

/** Deliveries created before this time count as gone. DynamoDB deletes expired items some time later. */
export function oldestKept(now: number): number {
  return now - deliveryKeptMs;
}

export interface DeliveryPageQuery {
  subscriber: string;
  /** Only deliveries to the target of this name. */
  target: string | undefined;
  filter: DeliveryFilter;
  limit: number;
  from: Position | undefined;
}

export interface ListContext {
  deliveries: Pick<DeliveryStore, 'search'>;
  targets: Pick<TargetStore, 'read'>;
  now: Clock;
}

/**
 * A page of a subscriber's deliveries, newest first. A filtered page can hold fewer than `limit` although more follow.
 */
export async function readDeliveryPage(
  { subscriber, target, filter, limit, from }: DeliveryPageQuery,
  { deliveries, targets, now }: ListContext,
): Promise<PageBounds & { deliveries: Delivery[] }> {
  const backward = from?.towards === 'newer';
  const settings = await targets.read(subscriber);
  const search = deliveries.search({
    subscriber,
    targets: settings && target ? [chosenTarget(settings, target)] : usedTargets(settings),
    order: backward ? 'oldest-first' : 'newest-first',
    after: from?.item,
    wanted: limit,
    filter,
  });
  const found = await takeDeliveries(search, limit, { now, isNarrow: filter.state !== undefined });
  const page = backward ? found.deliveries.toReversed() : found.deliveries;
  return {
    deliveries: page,
    newest: backward ? found.reached : page[0]?.id,
    oldest: backward ? page.at(-1)?.id : found.reached,
    more: found.more,
  };
}

/** The targets that have, or had, a URL. The others never got anything. */
function usedTargets(settings: DeliverySettings | undefined): readonly Target[] {
  if (!settings) return [];
  return targetsOf(settings).filter((target) => {
    const record = settings.targets[target];
    return record?.url !== undefined || urlRemovedSince(record);
  });
}
