import type * as z from 'zod/mini';
import { newId } from '#shared/base/ids.ts';
import { presentRequest } from '#shared/base/logger.ts';
import { invalidField, ServiceError } from '#shared/base/service-error.ts';
import { type Clock, minuteMs } from '#shared/base/time.ts';
import { encodeCursor, requestCursor } from '#shared/http/page.ts';
import { isOpen } from '#shared/webhooks/breaker.ts';
import {
  chosenTarget,
  type DeliverySettings,
  existingSettings,
  nameOf,
  newTarget,
  type Subscriber,
  type Target,
  targetsOf,
} from '#shared/webhooks/subscriber.ts';
import type { TargetStore } from '#shared/webhooks/subscriber-store.ts';
import { type Delivery, deliveryKeptDays } from './delivery.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { Replay } from './notification.ts';
import type { NotificationQueue } from './notification-queue-store.ts';
import { oldestKept, takeDeliveries } from './read-deliveries.ts';
import type { replayRequest } from './schema.ts';

/** The maximum number of deliveries that one request replays. */
const maxAtOnce = 1_000;

/**
 * `since` may lie this much before the oldest delivery that is kept, because requests take time and clocks differ.
 */
const leewayMs = minuteMs;

/** What replays work with. */
export interface ReplayContext {
  deliveries: Pick<DeliveryStore, 'search'>;
  targets: Pick<TargetStore, 'read'>;
  queue: NotificationQueue;
  now: Clock;
}

/** Asks for one attempt, whatever the delivery's state. */
export async function replay(
  subscriber: Subscriber,
  { target, id }: Pick<Delivery, 'target' | 'id'>,
  { targets, queue }: Pick<ReplayContext, 'targets' | 'queue'>,
): Promise<void> {
  requireUsable(await existingSettings(subscriber, targets), target);
  await queue.send([
    { message: { task: 'replay', subscriber: subscriber.id, target, id, replay: newId(), request: presentRequest() } },
  ]);
}

/** Asks for one attempt of each delivery in a range, oldest first, as far as one request goes. */
export async function replayRange(
  subscriber: Subscriber,
  { since, until, state = 'exhausted', target: wanted, cursor }: z.output<typeof replayRequest>,
  { deliveries, targets, queue, now }: ReplayContext,
) {
  const from = requestCursor(cursor, subscriber.id);
  const begin = Date.parse(since);
  if (begin < oldestKept(now()) - leewayMs) throw invalidField('since', 'days_ago', { max: deliveryKeptDays });
  const search = deliveries.search({
    subscriber: subscriber.id,
    targets: usableTargets(await existingSettings(subscriber, targets), wanted),
    order: 'oldest-first',
    after: from?.item,
    wanted: maxAtOnce,
    filter: { since: begin, until: until === undefined ? undefined : Date.parse(until), state },
  });
  const found = await takeDeliveries(search, maxAtOnce, { now, isNarrow: true });
  const ofRequest = { subscriber: subscriber.id, replay: newId(), request: presentRequest() };
  const messages = found.deliveries
    // Test notifications are not replayed.
    .filter(({ kind }) => kind !== 'test')
    .map(({ target, id }): Replay => ({ task: 'replay', target, id, ...ofRequest }));
  await queue.send(messages.map((message) => ({ message })));
  const { more, reached } = found;
  const isEnd = !more || reached === undefined;
  const next_cursor = isEnd ? null : encodeCursor({ list: subscriber.id, item: reached, towards: 'newer' });
  return { replayed: messages.length, more, next_cursor };
}

/** The wanted target, or all that have a URL. Without any, the error names the `webhook`. */
function usableTargets(settings: DeliverySettings, wanted: string | undefined): readonly Target[] {
  const withUrl = targetsOf(settings).filter((target) => settings.targets[target]?.url !== undefined);
  const all: readonly Target[] = withUrl.length > 0 ? withUrl : ['webhook'];
  const chosen = wanted ? [chosenTarget(settings, wanted)] : all;
  for (const target of chosen) requireUsable(settings, target);
  return chosen;
}

/** A replay to a failing target would only fail, so the error says what to do instead. */
function requireUsable(settings: DeliverySettings, target: Target): void {
  const { url, breaker } = settings.targets[target] ?? newTarget();
  const values = { target: nameOf(target) };
  if (url === undefined) throw new ServiceError('target.no-url', { values });
  if (isOpen(breaker)) throw new ServiceError('target.circuit-open', { values });
}
