import { describeError, log } from '#shared/base/logger.ts';
import type { Subscriber, Target } from '../accounts/subscriber.ts';
import type { Attempt } from '../egress/sender.ts';
import { tryToAnnounceTarget } from './announce-target.ts';
import { type Breaker, beginsRow, isOpen, nextProbeAt, opens, opensAfterFailures } from './breaker.ts';
import type { DeliveryContext } from './context.ts';
import type { AttemptRecord } from './delivery.ts';
import type { ClaimedDelivery, Result } from './delivery-store.ts';
import { resetBreaker } from './drain.ts';
import type { Failure, RowAttempt } from './failures-in-a-row.ts';
import { longestDelaySeconds } from './limits.ts';
import { pauseWhenDue } from './pause-target.ts';
import { lookedAfterMs, nextDelayMs } from './schedule.ts';
import type { DeliverySettings, TargetStore } from './target-store.ts';

/** An attempt, with everything that is known about it. */
export interface AttemptMade {
  delivery: ClaimedDelivery;
  attempt: Attempt;
  /** The attempt in the form that the delivery keeps. */
  record: AttemptRecord;
  /** The subscriber's settings on which the attempt was based. */
  settings: DeliverySettings;
  /** What the attempt means for the row of failures of its URL. */
  row: RowAttempt;
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
export async function noteSuccess(made: AttemptMade, context: DeliveryContext): Promise<void> {
  const { delivery, settings } = made;
  const { number, target } = delivery;
  const known = settings.breakers[target];
  if (!known) return;
  delete settings.breakers[target];
  const knewFailures = known.failures > 0;
  if (!isOpen(known) && !knewFailures) return;
  // Read again, because other processes have often done it already, and a write that changes nothing costs as much.
  const breaker = await context.targets.readBreaker(number, target);
  // An attempt that began before the breaker opened says nothing about the target now, and may have gone to another URL.
  if (isOpen(breaker) === isOpen(known)) await resetBreaker(number, target, breaker, context);
}

/** Records a failed attempt of the schedule, which counts against the target. */
export async function recordFailure(made: AttemptMade, context: DeliveryContext): Promise<void> {
  if (await countFailure(made, context)) await recordHeld(made, context);
  else await recordUsedAttempt(made, context);
}

/** Records a failed replay. A delivery that had ended ends again; one that was waiting continues its schedule. */
export async function recordFailedReplay(made: AttemptMade, context: DeliveryContext): Promise<void> {
  const { delivery, record } = made;
  switch (delivery.previous_state) {
    case 'held':
      return (await isOpenNow(delivery, context)) ? recordHeld(made, context) : recordUsedAttempt(made, context);
    case 'delivered':
    case 'exhausted':
    case 'discarded': {
      const state = delivery.previous_state === 'delivered' ? 'delivered' : 'exhausted';
      await context.deliveries.record(delivery, { state, attempt: record, attempt_count: delivery.attempt_count });
      return;
    }
    default:
      return recordUsedAttempt(made, context);
  }
}

/** Reads the breaker again: if it closed during the attempt, nothing would release a delivery that is held now. */
async function isOpenNow(
  { number, target }: { number: string; target: Target },
  { targets }: Pick<DeliveryContext, 'targets'>,
): Promise<boolean> {
  return isOpen((await targets.read(number))?.breakers[target]);
}

/** Holds the delivery. While the breaker is open, attempts do not use up the schedule. */
async function recordHeld(
  { delivery, record }: AttemptMade,
  { deliveries }: Pick<DeliveryContext, 'deliveries'>,
): Promise<void> {
  await deliveries.record(delivery, { state: 'held', attempt: record, attempt_count: delivery.attempt_count });
}

/** Records an attempt of the schedule, and schedules the next one if there is one. */
async function recordUsedAttempt(made: AttemptMade, context: DeliveryContext): Promise<void> {
  const { delivery, attempt, record, settings } = made;
  const attemptCount = delivery.attempt_count + 1;
  const retryAfter = attempt.outcome === 'responded' ? attempt.retryAfterSeconds : undefined;
  const delayMs = nextDelayMs(context.schedule, attemptCount, context.random(), retryAfter);
  const result: Result = { state: 'exhausted', attempt: record, attempt_count: attemptCount };
  if (delayMs === undefined) {
    await context.deliveries.record(delivery, result);
    const { id, number: subscriber, target } = delivery;
    log('warn', 'delivery.exhausted', { delivery: id, subscriber, target });
    return;
  }
  const short = delayMs <= longestDelaySeconds * 1000;
  if (short) {
    const { number, target, id } = delivery;
    const slow = context.slowTargets.isSlow(settings.subscriber, target) || undefined;
    const retry = { do: 'retry', number, target, id, attempt_count: attemptCount, ...(slow && { slow }) } as const;
    // Sent before it is recorded: after a crash in between, SQS delivers the unacknowledged message again.
    await context.queue.send([{ message: retry, delaySeconds: delayMs / 1000 }]);
  }
  const next_attempt_at = context.now() + delayMs;
  const look_after_at = next_attempt_at + (short ? lookedAfterMs : 0);
  await context.deliveries.record(delivery, { ...result, state: 'waiting', next_attempt_at, look_after_at });
}

/**
 * Counts the failure, together with others, and returns whether the breaker is open now. The settings get the breaker,
 * too, so that a success right after this resets the count.
 */
async function countFailure(made: AttemptMade, context: DeliveryContext): Promise<boolean> {
  const { delivery, settings, row } = made;
  const { target, id, lease } = delivery;
  const failure = { delivery: id, attempt: lease.holder };
  const counted = isOpen(settings.breakers[target])
    ? await countFailures([failure], made, context)
    : await row.fail(failure, (failures) => countUnlessOpen(failures, made, context));
  if (counted === undefined) return false;
  settings.breakers[target] = counted.breaker;
  return counted.held.includes(failure.attempt);
}

interface Counted {
  breaker: Breaker;
  /** The attempts that failed when the breaker was open, or opened it. */
  held: string[];
}

/**
 * Counts failures, unless another process has opened the breaker meanwhile. Then the deliveries are held, and a count
 * would change nothing: when a busy target hangs, the attempts of all processes end together.
 */
async function countUnlessOpen(
  failures: readonly Failure[],
  made: AttemptMade,
  context: DeliveryContext,
): Promise<Counted> {
  const { number, target } = made.delivery;
  const breaker = await context.targets.readBreaker(number, target);
  if (!breaker || !isOpen(breaker)) return countFailures(failures, made, context);
  await pauseWhenDue({ number, target }, breaker, context);
  return { breaker, held: failures.map(({ attempt }) => attempt) };
}

/**
 * Counts failures of attempts at one URL. The breaker in the table decides, because it may have changed since the
 * attempts began.
 */
async function countFailures(
  failures: readonly Failure[],
  { delivery: { number, target }, settings: { subscriber: attempted } }: AttemptMade,
  context: DeliveryContext,
): Promise<Counted> {
  const { targets, schedule, now, random } = context;
  const attempts = failures.map(({ attempt }) => attempt);
  const counted = await targets.countFailures(number, target, failures);
  if (!opens(counted, failures)) {
    if (beginsRow(counted, failures)) await tryToAddVersion(attempted, targets);
    await pauseWhenDue({ number, target }, counted, context);
    return { breaker: counted, held: isOpen(counted) ? attempts : [] };
  }
  if ((await targets.read(number))?.subscriber[target] !== attempted[target]) {
    // The attempts went to a URL that was replaced meanwhile, and say nothing about the new one.
    await targets.reset(number, target);
    return { breaker: { failures: 0 }, held: [] };
  }
  const opened = await targets.open(number, target, now(), nextProbeAt(0, schedule, now(), random()));
  log('warn', 'target.opened', { subscriber: number, target });
  await tryToAddVersion(attempted, targets);
  await tryToAnnounceTarget({ number, target }, context);
  // Those before the failure that opened it have used up an attempt, as if each had been counted by itself.
  const openedBy = Math.max(0, attempts.length - 1 - (counted.failures - opensAfterFailures));
  return { breaker: opened, held: attempts.slice(openedBy) };
}

/**
 * Lets all processes read the settings again, where a failure must not fail the attempt. They then learn of the breaker
 * when they forget the settings.
 */
async function tryToAddVersion(subscriber: Subscriber, targets: Pick<TargetStore, 'addVersion'>): Promise<void> {
  try {
    await targets.addVersion(subscriber);
  } catch (error) {
    log('warn', 'target.version-not-added', { subscriber: subscriber.id, ...describeError(error) });
  }
}
