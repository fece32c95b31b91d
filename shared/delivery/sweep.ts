import { forEachOf } from '#shared/base/concurrency.ts';
import { newId } from '#shared/base/ids.ts';
import { describeError, type LogFields, log, withLogContext } from '#shared/base/logger.ts';
import { hourMs, minuteMs } from '#shared/base/time.ts';
import { type Breaker, isPauseDue, isProbeDue } from '#shared/webhooks/breaker.ts';
import type { OpenOrDrainingTarget } from '#shared/webhooks/breaker-store.ts';
import { type Target, urlRemovedSince } from '#shared/webhooks/subscriber.ts';
import { announceTarget, isUnannounced, tryToAnnounceTarget } from './announce-target.ts';
import type { DueDelivery } from './delivery.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { type QueueEntry, retryOf } from './notification.ts';

/** The sweep runs each minute and looks this far ahead: what is due before the next sweep waits in the queue. */
const lookAheadMs = minuteMs;

/** A drain without a step for this long has stopped. */
const stalledAfterMs = minuteMs;

/** The shortest and the longest time that the sweep waits for a message that it sent before it sends another. */
const shortestRepeatMs = 10 * minuteMs;
const longestRepeatMs = hourMs;

/** How many deliveries or targets are handled in parallel. */
const maxAtOnce = 16;

export type SweepContext = Pick<DeliveryContext, 'deliveries' | 'targets' | 'breakers' | 'queue' | 'now'>;

/**
 * Queues deliveries that have waited long enough, probes targets whose breaker is half-open, and resumes drains that
 * have stopped. One failure does not stop the others; the first error is thrown at the end. Two sweeps may run at the
 * same time.
 */
export async function sweep(context: SweepContext): Promise<void> {
  const errors = (await Promise.all([sendDue(context), sweepTargets(context)])).flat();
  if (errors.length > 0) throw errors[0];
}

/**
 * Handles all items and returns the errors. Each is logged with the ids of the item that failed; what happens
 * `afterEach` is about more than one.
 */
async function handleEach<T>(
  items: AsyncIterable<T>,
  idsOf: (item: T) => LogFields,
  handle: (item: T) => Promise<void>,
  afterEach = async (): Promise<void> => {},
): Promise<unknown[]> {
  const errors: unknown[] = [];
  const ofList = await forEachOf(items, maxAtOnce, async (item) => {
    await withLogContext(idsOf(item), () => handle(item).catch((error) => void errors.push(logged(error))));
    await afterEach();
  });
  return [...errors, ...ofList.map((error) => logged(error))];
}

function logged(error: unknown, fields: LogFields = {}): unknown {
  log('error', 'sweep.failed', { ...fields, ...describeError(error) });
  return error;
}

async function sendDue({ deliveries, queue, now }: SweepContext): Promise<unknown[]> {
  const batch: QueueEntry[] = [];
  const notSent: unknown[] = [];

  async function postpone(due: DueDelivery): Promise<void> {
    const { next_attempt_at = 0 } = due;
    if (!(await deliveries.postpone(due, nextLook(next_attempt_at, now())))) return;
    batch.push({
      message: retryOf(due),
      delaySeconds: Math.max(0, (next_attempt_at - now()) / 1000),
    });
  }

  async function sendBatch(): Promise<void> {
    const entries = batch.splice(0);
    await queue.send(entries).catch((error) => void notSent.push(logged(error, { count: entries.length })));
  }

  const errors = await handleEach(deliveries.listDue(now() + lookAheadMs), idsOfDelivery, postpone, async () => {
    if (batch.length >= 100) await sendBatch();
  });
  // Sends what was postponed, even if others failed meanwhile.
  await sendBatch();
  return [...errors, ...notSent];
}

const idsOfDelivery = ({ subscriber, target, id }: DueDelivery) => ({ subscriber, target, delivery: id });

/**
 * Returns when the sweep will consider the message that it now sends lost. It waits for as long as the attempt is
 * already overdue, so that an outage adds few repeats to the queue.
 */
function nextLook(nextAttemptAt: number, now: number): number {
  const overdueMs = now - nextAttemptAt;
  return Math.max(now, nextAttemptAt) + Math.min(Math.max(overdueMs, shortestRepeatMs), longestRepeatMs);
}

/** Restarts a drain that has stopped, with a new token. A drain normally continues by sending messages to itself. */
async function resumeStalledDrain(
  subscriber: string,
  target: Target,
  drain: NonNullable<Breaker['drain']>,
  { breakers, queue, now }: Omit<SweepContext, 'deliveries'>,
): Promise<void> {
  if (now() - drain.at < stalledAfterMs) return;
  const token = newId();
  if (await breakers.continueDraining(subscriber, target, drain.token, now(), token)) {
    await queue.send([{ message: { task: 'drain', subscriber, target, token } }]);
  }
}

function sweepTargets(context: SweepContext): Promise<unknown[]> {
  const idsOfTarget = ({ subscriber, target }: OpenOrDrainingTarget) => ({ subscriber, target });
  return handleEach(context.breakers.listOpenOrDraining(), idsOfTarget, (one) => sweepTarget(one, context));
}

async function sweepTarget(tripped: OpenOrDrainingTarget, context: SweepContext): Promise<void> {
  const { subscriber, target, breaker } = tripped;
  if (breaker.drain) await resumeStalledDrain(subscriber, target, breaker.drain, context);
  else if (!(await pauseWhenDue(tripped, context)) && isProbeDue(breaker, context.now())) {
    await sendProbe(subscriber, target, breaker, context);
  }
  // Usually the process that opened, paused or closed the breaker has done so, but it may have been killed. This comes
  // last, so that its failure keeps nothing else from being done.
  if (isUnannounced(breaker)) await announceTarget({ subscriber, target }, context);
}

/** Pauses the target if its breaker has been open for too long. Returns whether that is so. */
async function pauseWhenDue(
  { subscriber, target, breaker }: OpenOrDrainingTarget,
  context: SweepContext,
): Promise<boolean> {
  const { breakers, now } = context;
  if (!isPauseDue(breaker, now())) return false;
  if (await breakers.pause(subscriber, target, now())) {
    log('error', 'target.paused');
    await tryToAnnounceTarget({ subscriber, target }, context);
  }
  return true;
}

/**
 * Probes alternate between the oldest and the newest held delivery, because a notification that the receiver cannot
 * handle says nothing about the others. Deliveries that lost their URL, and all those of a number that is switched off,
 * are sent as well, so that they are discarded.
 */
async function sendProbe(
  subscriber: string,
  target: Target,
  { probes = 0 }: Breaker,
  { deliveries, targets, queue }: Omit<SweepContext, 'now'>,
): Promise<void> {
  const order = probes % 2 === 0 ? 'oldest-first' : 'newest-first';
  const settings = await targets.read(subscriber);
  const messages: QueueEntry[] = [];
  const held = deliveries.listHeld(subscriber, target, { order, wanted: 1 });
  for await (const delivery of held) {
    // The first message that finds the probe due takes it.
    messages.push({ message: retryOf(delivery) });
    const isProbe = settings?.subscriber.active && !urlRemovedSince(settings.targets[target], delivery.target_version);
    if (isProbe || messages.length === 100) break;
  }
  await queue.send(messages);
}
