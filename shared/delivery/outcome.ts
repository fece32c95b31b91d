import { log } from '#shared/base/logger.ts';
import type { Attempt } from '#shared/egress/sender.ts';
import { type Breaker, isOpen, isPauseDue, nextProbeAt, opens, opensAfterFailures } from '#shared/webhooks/breaker.ts';
import type { Failure } from '#shared/webhooks/breaker-store.ts';
import type { Target, TargetRecord } from '#shared/webhooks/target.ts';
import type { DeliverySettings } from '#shared/webhooks/target-store.ts';
import { tryToAnnounceTarget } from './announce-target.ts';
import { type AttemptRecord, type Delivery, longestDelaySeconds } from './delivery.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { ClaimedDelivery } from './delivery-records.ts';
import { resetBreaker } from './drain.ts';
import { type Retry, retryOf } from './notification.ts';
import { lookedAfterMs, nextDelayMs, scheduleOf } from './retry-schedule.ts';
import type { StreakAttempt } from './streaks.ts';

/** An attempt, with everything that is known about it. */
export interface AttemptMade {
  delivery: ClaimedDelivery;
  attempt: Attempt;
  /** The attempt in the form that the delivery keeps. */
  record: AttemptRecord;
  /** The subscriber's settings on which the attempt was based. */
  settings: DeliverySettings;
  /** Where it went. */
  url: string;
  /** What the attempt means for the streak of failures at its URL. */
  streak: StreakAttempt;
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

/** After a success, closes a breaker that the process knows as open, as a probe does, or resets failures that it knows. */
export async function noteSuccess(attemptMade: AttemptMade, context: DeliveryContext): Promise<void> {
  const { delivery, settings } = attemptMade;
  const { subscriber, target } = delivery;
  const before = settings.targets[target];
  if (!isOpen(before.breaker) && before.breaker.failures === 0) return;
  context.settings.learn(settings, target, { ...before, breaker: { failures: 0 } });
  try {
    // Read again, because other processes have often done it already, and a write that changes nothing costs as much.
    const breaker = await context.breakers.read(subscriber, target);
    // An attempt that began before the breaker opened says nothing about the target now, and may have gone to another URL.
    if (isOpen(breaker) === isOpen(before.breaker)) await resetBreaker(subscriber, target, breaker, context);
  } catch (error) {
    // The next success does it.
    context.settings.learn(settings, target, before);
    throw error;
  }
}

/** Records a failed attempt of the schedule, which counts against the target. */
export async function recordFailure(attemptMade: AttemptMade, context: DeliveryContext): Promise<void> {
  if (await countFailure(attemptMade, context)) await recordHeld(attemptMade, context);
  else await recordUsedAttempt(attemptMade, context);
}

/** Records a failed replay. A delivery that had ended ends again; one that was waiting continues its schedule. */
export async function recordFailedReplay(attemptMade: AttemptMade, context: DeliveryContext): Promise<void> {
  const { delivery, record } = attemptMade;
  switch (delivery.previous_state) {
    case 'held':
      return (await isOpenNow(delivery, context))
        ? recordHeld(attemptMade, context)
        : recordUsedAttempt(attemptMade, context);
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

/** Reads the breaker again: if it closed during the attempt, nothing would release a delivery that is held now. */
async function isOpenNow(
  { subscriber, target }: { subscriber: string; target: Target },
  { breakers }: Pick<DeliveryContext, 'breakers'>,
): Promise<boolean> {
  return isOpen(await breakers.read(subscriber, target));
}

/** Holds the delivery. While the breaker is open, attempts do not use up the schedule. */
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

/**
 * Counts the failure, together with others, and returns whether the breaker is open now. The process learns the target
 * as it is then, so that a success right after this resets the count.
 */
async function countFailure(attemptMade: AttemptMade, context: DeliveryContext): Promise<boolean> {
  const { delivery, settings, streak } = attemptMade;
  const { target, id, lease } = delivery;
  const failure = { delivery: id, attempt: lease.holder };
  const counted = isOpen(settings.targets[target].breaker)
    ? await countFailures([failure], false, attemptMade, context)
    : await streak.fail(failure, (failures) => countUnlessOpen(failures, attemptMade, context));
  if (counted === undefined) return false;
  context.settings.learn(settings, target, counted.record);
  return counted.held.includes(failure.attempt);
}

interface Counted {
  record: TargetRecord;
  /** The attempts that failed when the breaker was open, or opened it. */
  held: string[];
}

/**
 * Counts failures, unless another process has opened the breaker meanwhile. Then the deliveries are held, and a count
 * would change nothing: when a busy target hangs, the attempts of all processes end together.
 */
async function countUnlessOpen(
  failures: readonly Failure[],
  attemptMade: AttemptMade,
  context: DeliveryContext,
): Promise<Counted> {
  const { subscriber, target } = attemptMade.delivery;
  const breaker = await context.breakers.read(subscriber, target);
  if (!breaker || !isOpen(breaker)) return countFailures(failures, breaker?.failures === 0, attemptMade, context);
  await pauseWhenDue({ subscriber, target }, breaker, context);
  const record = { ...attemptMade.settings.targets[target], breaker };
  return { record, held: failures.map(({ attempt }) => attempt) };
}

/**
 * Counts failures of attempts at one URL. The breaker in the table decides, because it may have changed since the
 * attempts began. If another URL has been set meanwhile, the attempts say nothing about it.
 */
async function countFailures(
  failures: readonly Failure[],
  startsStreak: boolean,
  { delivery: { subscriber, target }, url }: AttemptMade,
  context: DeliveryContext,
): Promise<Counted> {
  const { breakers, schedule, now, random } = context;
  const attempts = failures.map(({ attempt }) => attempt);
  const counted = await breakers.countFailures(subscriber, target, { url, failures, startsStreak });
  if (counted.url !== url) return { record: counted, held: [] };
  if (!opens(counted.breaker, failures)) {
    await pauseWhenDue({ subscriber, target }, counted.breaker, context);
    return { record: counted, held: isOpen(counted.breaker) ? attempts : [] };
  }
  const record = await breakers.open(subscriber, target, now(), nextProbeAt(0, schedule, now(), random()), url);
  if (!isOpen(record.breaker)) return { record, held: [] };
  log('warn', 'target.failing');
  await tryToAnnounceTarget({ subscriber, target }, context);
  // Those before the failure that opened it have used up an attempt, as if each had been counted by itself.
  const openedBy = Math.max(0, attempts.length - 1 - (counted.breaker.failures - opensAfterFailures));
  return { record, held: attempts.slice(openedBy) };
}

/** Pauses a target whose breaker has been open for too long; whether it has been. */
export async function pauseWhenDue(
  { subscriber, target }: { subscriber: string; target: Target },
  breaker: Breaker,
  context: Pick<DeliveryContext, 'targets' | 'breakers' | 'queue' | 'now'>,
): Promise<boolean> {
  const { breakers, now } = context;
  if (!isPauseDue(breaker, now())) return false;
  if (await breakers.pause(subscriber, target, now())) {
    log('error', 'target.paused');
    await tryToAnnounceTarget({ subscriber, target }, context);
  }
  return true;
}
