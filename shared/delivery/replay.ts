import { newId } from '#shared/base/ids.ts';
import { presentRequest } from '#shared/base/logger.ts';
import { invalidField, ServiceError } from '#shared/base/service-error.ts';
import { type Clock, minuteMs } from '#shared/base/time.ts';
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
import { type Delivery, type DeliveryState, deliveryKeptDays } from './delivery.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { oldestKept, takeDeliveries } from './find-deliveries.ts';
import type { Replay } from './notification.ts';
import type { NotificationQueue } from './notification-queue-store.ts';

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

/** Which deliveries: those created in this range, by default those that are exhausted. */
export interface ReplayRange {
  /** ISO 8601. */
  since: string;
  until?: string | undefined;
  state?: DeliveryState | undefined;
  /** The name of a target. */
  target?: string | undefined;
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

/** What a request replayed. `reached` is the id of the last delivery that it looked at, where more follow. */
export interface Replayed {
  replayed: number;
  more: boolean;
  reached: string | undefined;
}

/**
 * Asks for one attempt of each delivery in a range, oldest first, as far as one request goes.
 * @param after the delivery that the request before this one reached
 */
export async function replayRange(
  subscriber: Subscriber,
  range: ReplayRange,
  after: string | undefined,
  context: ReplayContext,
): Promise<Replayed> {
  const since = Date.parse(range.since);
  if (since < oldestKept(context.now()) - leewayMs) throw invalidField('since', 'days_ago', { max: deliveryKeptDays });
  const usable = usableTargets(await existingSettings(subscriber, context.targets), range.target);

  const search = context.deliveries.search({
    subscriber: subscriber.id,
    targets: usable,
    order: 'oldest-first',
    after,
    wanted: maxAtOnce,
    filter: {
      since,
      until: range.until === undefined ? undefined : Date.parse(range.until),
      state: range.state ?? 'exhausted',
    },
  });
  const { deliveries, reached, more } = await takeDeliveries(search, maxAtOnce, { now: context.now, isNarrow: true });
  const replayId = newId();
  const request = presentRequest();
  const messages = deliveries
    // Test notifications are not replayed.
    .filter(({ kind }) => kind !== 'test')
    .map(
      ({ target, id }): Replay => ({
        task: 'replay',
        subscriber: subscriber.id,
        target,
        id,
        replay: replayId,
        request,
      }),
    );
  await context.queue.send(messages.map((message) => ({ message })));
  return { replayed: messages.length, more, reached: more ? reached : undefined };
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
