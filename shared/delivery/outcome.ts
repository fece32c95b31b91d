import { log } from '#shared/base/logger.ts';
import type { Attempt } from '#shared/egress/sender.ts';
import { isOpen } from '#shared/webhooks/breaker.ts';
import type { DeliverySettings } from '#shared/webhooks/target-store.ts';
import { type AttemptRecord, type Delivery, longestDelaySeconds } from './delivery.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { ClaimedDelivery } from './delivery-records.ts';
import { type Retry, retryOf } from './notification.ts';
import { lookedAfterMs, nextDelayMs, scheduleOf } from './retry-schedule.ts';

/** An attempt, with everything that is known about it. */
export interface AttemptMade {
  delivery: ClaimedDelivery;
  attempt: Attempt;
  /** The attempt in the form that the delivery keeps. */
  record: AttemptRecord;
  /** The subscriber's settings on which the attempt was based. */
  settings: DeliverySettings;
}

/** Records that the receiver has the notification. */
export async function recordSuccess(
  { delivery, record }: AttemptMade,
  { deliveries }: Pick<DeliveryContext, 'deliveries'>,
): Promise<void> {
  await deliveries.record(delivery, {
    state: 'delivered',
    attempt: record,
    attempt_count: delivery.attempt_count + 1,
  });
}

/** Records a failed attempt. One that began while the breaker was open does not use up the schedule. */
export async function recordFailure(attemptMade: AttemptMade, context: DeliveryContext): Promise<void> {
  const { breaker } = attemptMade.settings.targets[attemptMade.delivery.target];
  await (isOpen(breaker) ? recordHeld : recordUsedAttempt)(attemptMade, context);
}

/** Records a failed replay. A delivery that had ended ends again; one that was waiting continues its schedule. */
export async function recordFailedReplay(attemptMade: AttemptMade, context: DeliveryContext): Promise<void> {
  const { delivery, record } = attemptMade;
  switch (delivery.previous_state) {
    case 'held':
      return recordFailure(attemptMade, context);
    case 'delivered':
    case 'exhausted':
    case 'discarded': {
      const state = delivery.previous_state === 'delivered' ? 'delivered' : 'exhausted';
      await context.deliveries.record(delivery, { state, attempt: record, attempt_count: delivery.attempt_count });
      return;
    }
    default:
      return recordUsedAttempt(attemptMade, context);
  }
}

/**
 * Holds the delivery. If the breaker has closed since the attempt began, the drain finds it: it goes over the list for
 * longer than a delivery process lives.
 */
async function recordHeld(
  { delivery, record }: AttemptMade,
  { deliveries }: Pick<DeliveryContext, 'deliveries'>,
): Promise<void> {
  await deliveries.record(delivery, { state: 'held', attempt: record, attempt_count: delivery.attempt_count });
}

/** Records an attempt of the schedule, and schedules the next one if there is one. */
export async function recordUsedAttempt(attemptMade: AttemptMade, context: DeliveryContext): Promise<void> {
  const { delivery, attempt, record } = attemptMade;
  const { retry, ...result } = afterFailure(delivery, attempt, context);
  // Sent before it is recorded: after a crash in between, SQS delivers the unacknowledged message again.
  if (retry) await context.queue.send([retry]);
  await context.deliveries.record(delivery, { ...result, attempt: record });
  if (result.state === 'exhausted') log('warn', 'delivery.exhausted');
}

interface NextAttempt extends Pick<Delivery, 'attempt_count' | 'next_attempt_at'> {
  state: 'waiting' | 'exhausted';
  look_after_at?: number;
  retry?: { message: Retry; delaySeconds: number };
}

/** What follows from a failed attempt of the schedule, and the message that ends a short wait. */
export function afterFailure(
  delivery: Pick<Delivery, 'subscriber' | 'target' | 'id' | 'kind' | 'attempt_count'>,
  attempt: Attempt,
  { schedule, random, now }: Pick<DeliveryContext, 'schedule' | 'random' | 'now'>,
): NextAttempt {
  const attempt_count = delivery.attempt_count + 1;
  const retryAfter = attempt.outcome === 'responded' ? attempt.retryAfterSeconds : undefined;
  const delayMs = nextDelayMs(scheduleOf(delivery.kind, schedule), attempt_count, random(), retryAfter);
  if (delayMs === undefined) return { state: 'exhausted', attempt_count };
  const next_attempt_at = now() + delayMs;
  const waiting = { state: 'waiting', attempt_count, next_attempt_at, look_after_at: next_attempt_at } as const;
  if (delayMs > longestDelaySeconds * 1000) return waiting;
  const message = retryOf({ ...delivery, attempt_count });
  return {
    ...waiting,
    look_after_at: next_attempt_at + lookedAfterMs,
    retry: { message, delaySeconds: delayMs / 1000 },
  };
}
