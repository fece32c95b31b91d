import { describeError, log, withLogContext } from '#shared/base/logger.ts';
import { isOpen, isOpenedBy, nextProbeAt } from '#shared/webhooks/breaker.ts';
import { tryToAnnounceTarget } from './announce-target.ts';
import type { DeliveryContext, Outcome } from './delivery-context.ts';
import { resetBreaker } from './drain.ts';

/**
 * Tells the circuit breakers what the attempts of a batch found out. Each is written once at most, and only if that
 * changes it. What a busy table does not take is skipped: more attempts will follow, and further tries would only keep
 * the item of a flapping target busy.
 */
export async function updateBreakers(context: DeliveryContext): Promise<void> {
  const byTarget = Map.groupBy(context.outcomes, ({ subscriber, target }) => `${subscriber} ${target}`);
  await Promise.all(Array.from(byTarget.values(), (outcomes) => updateBreaker(outcomes, context)));
}

async function updateBreaker(outcomes: readonly Outcome[], context: DeliveryContext): Promise<void> {
  const [attempted] = outcomes;
  if (!attempted) return;
  const { subscriber, target } = attempted;
  await withLogContext({ subscriber, target }, async () => {
    try {
      // A success breaks the streak, whichever of the attempts ended first.
      if (outcomes.some(({ isReceived }) => isReceived)) await noteSuccess(attempted, context);
      else await noteFailures(attempted, outcomes, context);
    } catch (error) {
      log(context.isTransient(error) ? 'warn' : 'error', 'target.not-updated', describeError(error));
    }
  });
}

type AttemptedTarget = Omit<Outcome, 'delivery' | 'isReceived'>;

/** In less time than this, other batches hardly count failures that a success would have to reset. */
const shortBatchMs = 1_000;

/** Closes a breaker that the batch knows as open, as a probe does, or resets the failures of a closed one. */
async function noteSuccess(attempted: AttemptedTarget, context: DeliveryContext): Promise<void> {
  const isShort = context.now() - context.startedAt < shortBatchMs;
  if (isShort && !isOpen(attempted.breaker) && attempted.breaker.failures === 0) return;
  const breaker = await readAgain(attempted, context);
  // An attempt that began before the breaker opened says nothing about the target now.
  if (breaker && isOpen(breaker) === isOpen(attempted.breaker)) {
    await resetBreaker(attempted.subscriber, attempted.target, breaker, context);
  }
}

/** Counts failures, and opens the breaker at the tenth in a row. A failed probe was counted when it was taken. */
async function noteFailures(
  attempted: AttemptedTarget,
  outcomes: readonly Outcome[],
  context: DeliveryContext,
  triesLeft = 1,
): Promise<void> {
  if (isOpen(attempted.breaker)) return;
  const breaker = await readAgain(attempted, context);
  if (!breaker || isOpen(breaker)) return;
  const { subscriber, target, url } = attempted;
  const { breakers, schedule, now, random } = context;
  const failures = { url, failed: outcomes.map(({ delivery }) => delivery) };
  if (!isOpenedBy(failures.failed, breaker)) return breakers.countFailures(subscriber, target, failures);
  const probeAt = nextProbeAt(0, schedule, now(), random());
  const isOpened = await breakers.open(subscriber, target, breaker, { ...failures, now: now(), probeAt });
  // Another batch has counted meanwhile, so this one decides anew.
  if (!isOpened) return triesLeft > 0 ? noteFailures(attempted, outcomes, context, triesLeft - 1) : undefined;
  log('warn', 'target.failing');
  await tryToAnnounceTarget({ subscriber, target }, context);
}

/**
 * Reads the breaker again: other processes have often changed it meanwhile, and a write that changes nothing costs as
 * much as any other. If the target has another URL by now, the attempts say nothing about it.
 */
async function readAgain({ subscriber, target, url }: AttemptedTarget, { breakers }: DeliveryContext) {
  const record = await breakers.read(subscriber, target);
  return record?.url === url ? record.breaker : undefined;
}
