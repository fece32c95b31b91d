import { log } from '../logger.ts';
import { signatureHeaders } from '../notifications/signature.ts';
import type { Target } from '../numbers/number.ts';
import type { Attempt } from '../outgoing/send.ts';
import { longestDelaySeconds } from '../queue/notification-queue.ts';
import type { ClaimedDelivery, Result } from '../storage/deliveries.ts';
import type { DeliverySettings } from '../storage/targets.ts';
import { type Breaker, isGivenUp, isOpen, mayProbe, nextProbeAt, opens } from './breaker.ts';
import type { DeliveryContext } from './context.ts';
import type { AttemptRecord } from './delivery.ts';
import { startDrain } from './drain.ts';
import type { FirstAttempt, Replay, Retry } from './message.ts';
import { nextDelayMs, parseRetryAfter } from './schedule.ts';

/** The only answer that counts as received (specification, Events, delivery rule 1). */
const receivedStatus = 200;

/** A lease outlasts the attempt by this, for what is written before and after it. */
const leaseMarginMs = 5_000;

/** How much of an answer the log keeps. */
const excerptBytes = 500;

/**
 * Makes the attempt that a message asks for, unless it is made already or its target is out of order. `later` when
 * somebody else is making it right now. A receiver's failure is an outcome and never thrown.
 */
export async function deliver(
  message: FirstAttempt | Retry | Replay,
  context: DeliveryContext,
): Promise<'done' | 'later'> {
  const settings = await context.settingsOf(message.number);
  const url = settings?.number[message.target];
  if (!settings || url === undefined) {
    await context.deliveries.discard(message);
    return 'done';
  }
  const breaker = settings.breakers[message.target];
  if (message.do !== 'replay' && breaker && !(await mayPost(message, breaker, context))) {
    await context.deliveries.hold(message);
    return 'done';
  }
  const claim = await claimFor(message, context);
  if (!claim.claimed) return claim.why === 'under-way' ? 'later' : 'done';
  const attempt = await post(claim.claimed, url, settings, context);
  await settle(message, claim.claimed, attempt, breaker, context);
  return 'done';
}

/** Whether the target's breaker lets it pass: closed, or open and this is the probe that is due. */
async function mayPost({ number, target }: Address, breaker: Breaker, context: DeliveryContext): Promise<boolean> {
  if (!isOpen(breaker)) return true;
  const now = context.now();
  if (!mayProbe(breaker, now)) return false;
  return context.targets.takeProbe(
    number,
    target,
    breaker,
    nextProbeAt((breaker.probes ?? 0) + 1, context.schedule, now),
  );
}

function claimFor(message: FirstAttempt | Retry | Replay, { deliveries, holder, timeoutMs, now }: DeliveryContext) {
  const lease = { holder, expires_at: now() + timeoutMs + leaseMarginMs };
  switch (message.do) {
    case 'deliver':
      return deliveries.claimFirst(message, lease, now());
    case 'retry':
      return deliveries.claimRetry(message, lease, now());
    case 'replay':
      return deliveries.claimReplay(message, lease, now());
  }
}

async function post(
  { id, payload }: Pick<ClaimedDelivery, 'id' | 'payload'>,
  url: string,
  { secrets }: DeliverySettings,
  context: DeliveryContext,
): Promise<Attempt> {
  const body = await context.readPayload(payload);
  return context.sender.post({
    url,
    headers: notificationHeaders(id, body, secrets, context.now()),
    body,
    timeoutMs: context.timeoutMs,
  });
}

/** JSON, signed with every secret that is valid (Standard Webhooks). */
export function notificationHeaders(
  id: string,
  body: string,
  secrets: DeliverySettings['secrets'],
  now: number,
): Record<string, string> {
  const previous =
    secrets?.previous !== undefined && (secrets.previous_valid_until ?? 0) > now ? [secrets.previous] : [];
  return {
    'content-type': 'application/json',
    'user-agent': 'messaging-service',
    ...(secrets &&
      signatureHeaders({ id, timestamp: Math.floor(now / 1000), body, secrets: [secrets.current, ...previous] })),
  };
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
  breaker: Breaker | undefined,
  context: DeliveryContext,
): Promise<void> {
  const record = attemptRecord(attempt, context.now(), message.do === 'replay');
  if (isReceived(attempt)) {
    const attempt_count = delivery.attempt_count + 1;
    await context.deliveries.record(delivery, { state: 'delivered', attempt: record, attempt_count });
    if (breaker && message.do !== 'replay') await recovered(delivery, breaker, context);
  } else if (message.do === 'replay') await recordFailedReplay(delivery, attempt, record, context);
  else if (await countFailure(delivery, breaker, context)) await recordHeld(delivery, record, context);
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
      return recordHeld(delivery, record, context);
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

/** While the target is out of order no attempt of the schedule is used up. */
async function recordHeld(
  delivery: ClaimedDelivery,
  record: AttemptRecord,
  { deliveries }: DeliveryContext,
): Promise<void> {
  await deliveries.record(delivery, { state: 'held', attempt: record, attempt_count: delivery.attempt_count });
}

export function isReceived(attempt: Attempt): boolean {
  return attempt.outcome === 'answered' && attempt.status === receivedStatus;
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
  await context.deliveries.record(delivery, {
    ...result,
    state: 'waiting',
    next_attempt_at: context.now() + delayMs,
    sweep: !short,
  });
}

/** Whether the target's breaker is open after this failure. */
async function countFailure(
  { number, target, id }: ClaimedDelivery,
  breaker: Breaker | undefined,
  { targets, schedule, now }: DeliveryContext,
): Promise<boolean> {
  if (breaker && isOpen(breaker)) {
    if (isGivenUp(breaker, now()) && (await targets.pause(number, target, now()))) {
      log('error', 'target.paused', { number, target });
    }
    return true;
  }
  const counted = await targets.countFailure(number, target, id);
  if (!opens(counted, id)) return isOpen(counted);
  await targets.open(number, target, now(), nextProbeAt(0, schedule, now()));
  log('warn', 'target.opened', { number, target });
  return true;
}

/** The target answers: its failures are forgotten, and what was held for it is released. */
async function recovered({ number, target }: Address, breaker: Breaker, context: DeliveryContext): Promise<void> {
  if (isOpen(breaker)) await startDrain(number, target, context);
  else if (!breaker.drain) await context.targets.reset(number, target);
}

function attemptRecord(attempt: Attempt, endedAt: number, replay: boolean): AttemptRecord {
  const at = endedAt - Math.round(attempt.durationMs);
  const duration_ms = Math.round(attempt.durationMs);
  if (attempt.outcome === 'failed') return { at, duration_ms, error: attempt.error, ...(replay && { replay }) };
  const excerpt = isReceived(attempt) ? '' : attempt.body.subarray(0, excerptBytes).toString('utf8');
  return { at, duration_ms, status: attempt.status, ...(excerpt !== '' && { excerpt }), ...(replay && { replay }) };
}
