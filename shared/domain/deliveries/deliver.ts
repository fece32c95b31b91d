import { newId } from '#shared/base/ids.ts';
import { log } from '#shared/base/logger.ts';
import { hasLostUrlSince, type Target } from '../accounts/number.ts';
import type { Attempt } from '../egress/sender.ts';
import { attemptRecord, isReceived, makeAttempt } from './attempt.ts';
import { type Breaker, isOpen, isProbeDue, nextProbeAt, opens } from './breaker.ts';
import type { DeliveryContext } from './context.ts';
import type { AttemptRecord } from './delivery.ts';
import type { ClaimedDelivery, Result, UnclaimedReason } from './delivery-store.ts';
import { resetBreaker } from './drain.ts';
import type { FirstAttempt, Replay, Retry } from './message.ts';
import { longestDelaySeconds } from './notification-queue.ts';
import { pauseWhenDue } from './pause-target.ts';
import { lookedAfterMs, nextDelayMs, parseRetryAfter } from './schedule.ts';
import { putBackSeconds } from './slow-targets.ts';
import type { DeliverySettings } from './target-store.ts';

/** A lease outlasts the attempt by this, for what is written before and after it. */
const leaseMarginMs = 5_000;

/** How soon to look again after a delivery that somebody else is sending. */
const nextLookSeconds = 1;

/**
 * Makes the attempt that a message asks for, unless it is made already or its target is out of order. A receiver's
 * failure is an outcome and never thrown.
 */
export async function deliver(message: FirstAttempt | Retry | Replay, context: DeliveryContext): Promise<void> {
  const settings = await settingsFor(message, context);
  const url = settings?.number[message.target];
  if (!settings?.number.active || url === undefined || (await isLeftBehind(message, settings, context))) {
    return unlessUnderWay(await discard(message, settings, context), message, context);
  }
  const breaker = settings.breakers[message.target];
  if (message.do !== 'replay' && breaker && !(await mayPost(message, breaker, context))) {
    return unlessUnderWay(await context.deliveries.hold(message, context.now()), message, context);
  }
  if (!isOpen(breaker) && !context.slowTargets.admits(message)) return putBack(message, context);
  const claim = await claimFor(message, context);
  if (!claim.claimed) {
    return claim.why === 'early'
      ? sendAgainWhenDue(message, claim.due, context)
      : unlessUnderWay(claim.why, message, context);
  }
  const body = await context.readPayload(claim.claimed.payload);
  const attempt = await makeAttempt({ id: claim.claimed.id, url, body, secrets: settings.secrets }, context);
  context.slowTargets.note(message, attempt.durationMs);
  await settle(message, claim.claimed, attempt, settings, context);
}

/** Leaves the message for later, before anything of it is written: its target is slow, and others have their turn. */
async function putBack(
  message: FirstAttempt | Retry | Replay,
  { queue, random }: Pick<DeliveryContext, 'queue' | 'random'>,
): Promise<void> {
  const { put_backs = 0 } = message;
  const delaySeconds = putBackSeconds(put_backs, random());
  await queue.send([{ message: { ...message, put_backs: put_backs + 1 }, delaySeconds }]);
}

/** What is remembered will do to send a message, and for nothing else: whatever keeps it back is read again first. */
async function settingsFor(
  message: FirstAttempt | Retry | Replay,
  { settings }: Pick<DeliveryContext, 'settings'>,
): Promise<DeliverySettings | undefined> {
  if (message.do === 'deliver') {
    const remembered = settings.remembered(message);
    if (remembered && isOpenTo(message, remembered)) return remembered;
  }
  return settings.current(message.number);
}

/** Whether nothing in the settings keeps a first attempt back. */
function isOpenTo(message: FirstAttempt, { number, breakers }: DeliverySettings): boolean {
  const { target, settings_version } = message;
  const hasUrl = number[target] !== undefined && !hasLostUrlSince(number, target, settings_version);
  return number.active && hasUrl && !isOpen(breakers[target]);
}

/** Ends the delivery. One that was never attempted is noted in the log, unless there is no number left to have one. */
function discard(
  message: FirstAttempt | Retry | Replay,
  settings: DeliverySettings | undefined,
  { deliveries, now }: DeliveryContext,
): Promise<'discarded' | UnclaimedReason> {
  return settings && message.do === 'deliver'
    ? deliveries.discardFirst(message, now())
    : deliveries.discard(message, now());
}

/**
 * Whether the delivery is one of those that ended when its target lost an earlier URL. A replay is for the URL of now.
 */
async function isLeftBehind(
  message: FirstAttempt | Retry | Replay,
  { number }: DeliverySettings,
  { deliveries }: DeliveryContext,
): Promise<boolean> {
  const { target } = message;
  if (message.do === 'deliver') return hasLostUrlSince(number, target, message.settings_version);
  if (message.do === 'replay' || !hasLostUrlSince(number, target)) return false;
  const delivery = await deliveries.get(message.number, message.id);
  return delivery !== undefined && hasLostUrlSince(number, target, delivery.settings_version);
}

/**
 * The message comes again while somebody else is sending the delivery, to take over if they never finish. It is not
 * given back to the queue: there it would be out of sight for long, and count as failed.
 */
async function unlessUnderWay(
  outcome: 'held' | 'discarded' | UnclaimedReason,
  message: FirstAttempt | Retry | Replay,
  { queue }: DeliveryContext,
): Promise<void> {
  if (outcome === 'under-way') await queue.send([{ message, delaySeconds: nextLookSeconds }]);
}

/** The message waits for the rest of its delivery's wait, because it may be the only one. */
function sendAgainWhenDue(
  message: FirstAttempt | Retry | Replay,
  due: number,
  { queue, now }: DeliveryContext,
): Promise<void> {
  const delaySeconds = Math.min((due - now()) / 1000, longestDelaySeconds);
  return queue.send([{ message, delaySeconds }]);
}

/** Whether the target's breaker lets it pass: closed, or open and this is the probe that is due. */
async function mayPost({ number, target }: Address, breaker: Breaker, context: DeliveryContext): Promise<boolean> {
  if (!isOpen(breaker)) return true;
  const now = context.now();
  if (!isProbeDue(breaker, now)) return false;
  return context.targets.takeProbe(
    number,
    target,
    breaker,
    now,
    nextProbeAt((breaker.probes ?? 0) + 1, context.schedule, now),
  );
}

function claimFor(message: FirstAttempt | Retry | Replay, { deliveries, timeoutMs, now }: DeliveryContext) {
  // A holder is one attempt: a process may take over from itself what it was too slow with.
  const lease = { holder: newId(), expires_at: now() + timeoutMs + leaseMarginMs };
  switch (message.do) {
    case 'deliver':
      return deliveries.claimFirst(message, lease, now());
    case 'retry':
      return deliveries.claimRetry(message, lease, now());
    case 'replay':
      return deliveries.claimReplay(message, lease, now());
  }
}

interface Address {
  number: string;
  target: Target;
}

/** Records what came of the attempt and sees to what comes next. */
async function settle(
  message: FirstAttempt | Retry | Replay,
  delivery: ClaimedDelivery,
  attempt: Attempt,
  settings: DeliverySettings,
  context: DeliveryContext,
): Promise<void> {
  const record = attemptRecord(attempt, context.now(), message.do === 'replay');
  if (isReceived(attempt)) {
    const attempt_count = delivery.attempt_count + 1;
    await context.deliveries.record(delivery, { state: 'delivered', attempt: record, attempt_count });
    if (message.do !== 'replay') await noteSuccess(delivery, settings, context);
  } else if (message.do === 'replay') await recordFailedReplay(delivery, attempt, record, context);
  else if (await countFailure(delivery, settings, context)) await recordHeld(delivery, record, context);
  else await recordFailure(delivery, attempt, record, context);
}

/** What the customer asks for is one attempt: what has ended stays ended, what waits goes on with its schedule. */
async function recordFailedReplay(
  delivery: ClaimedDelivery,
  attempt: Attempt,
  record: AttemptRecord,
  context: DeliveryContext,
): Promise<void> {
  switch (delivery.previous_state) {
    case 'held':
      return (await isOutOfOrder(delivery, context))
        ? recordHeld(delivery, record, context)
        : recordFailure(delivery, attempt, record, context);
    case 'delivered':
    case 'exhausted':
    case 'discarded': {
      const state = delivery.previous_state === 'delivered' ? 'delivered' : 'exhausted';
      await context.deliveries.record(delivery, { state, attempt: record, attempt_count: delivery.attempt_count });
      return;
    }
    default:
      return recordFailure(delivery, attempt, record, context);
  }
}

/** As it is now: nobody would release what is held for a target that has come back during the attempt. */
async function isOutOfOrder({ number, target }: Address, { targets }: DeliveryContext): Promise<boolean> {
  return isOpen((await targets.read(number))?.breakers[target]);
}

/** While the target is out of order no attempt of the schedule is used up. */
async function recordHeld(
  delivery: ClaimedDelivery,
  record: AttemptRecord,
  { deliveries }: DeliveryContext,
): Promise<void> {
  await deliveries.record(delivery, { state: 'held', attempt: record, attempt_count: delivery.attempt_count });
}

async function recordFailure(
  delivery: ClaimedDelivery,
  attempt: Attempt,
  record: AttemptRecord,
  context: DeliveryContext,
): Promise<void> {
  const attemptCount = delivery.attempt_count + 1;
  const retryAfter =
    attempt.outcome === 'answered' ? parseRetryAfter(attempt.headers['retry-after'], context.now()) : 0;
  const delayMs = nextDelayMs(context.schedule, attemptCount, context.random(), retryAfter);
  const result: Result = { state: 'exhausted', attempt: record, attempt_count: attemptCount };
  if (delayMs === undefined) {
    await context.deliveries.record(delivery, result);
    log('warn', 'delivery.exhausted', { delivery: delivery.id, number: delivery.number, target: delivery.target });
    return;
  }
  const short = delayMs <= longestDelaySeconds * 1000;
  if (short) {
    const { number, target, id } = delivery;
    // Sent before it is recorded: of a crash in between, the message that is still unacknowledged makes up.
    await context.queue.send([
      { message: { do: 'retry', number, target, id, attempt_count: attemptCount }, delaySeconds: delayMs / 1000 },
    ]);
  }
  const next_attempt_at = context.now() + delayMs;
  const look_after_at = next_attempt_at + (short ? lookedAfterMs : 0);
  await context.deliveries.record(delivery, { ...result, state: 'waiting', next_attempt_at, look_after_at });
}

/**
 * Whether the target's breaker is open after this failure: as it stands in the table, for it may have changed since the
 * attempt began. What is learnt is noted in the settings, so that a success that follows at once ends the row.
 */
async function countFailure(
  { number, target, id, lease }: ClaimedDelivery,
  { breakers, number: attempted }: DeliverySettings,
  { targets, schedule, now }: DeliveryContext,
): Promise<boolean> {
  const counted = await targets.countFailure(number, target, id, lease.holder);
  breakers[target] = counted;
  if (opens(counted, id)) {
    if ((await targets.read(number))?.number[target] !== attempted[target]) {
      // The attempts went to a URL that was replaced meanwhile, and say nothing about the new one.
      await targets.reset(number, target);
      delete breakers[target];
      return false;
    }
    breakers[target] = await targets.open(number, target, now(), nextProbeAt(0, schedule, now()));
    log('warn', 'target.opened', { number, target });
    return true;
  }
  await pauseWhenDue({ number, target }, counted, { targets, now });
  return isOpen(counted);
}

async function noteSuccess(
  { number, target }: ClaimedDelivery,
  { breakers }: DeliverySettings,
  context: DeliveryContext,
): Promise<void> {
  const breaker = breakers[target];
  delete breakers[target];
  await resetBreaker(number, target, breaker, context);
}
