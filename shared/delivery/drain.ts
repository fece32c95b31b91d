import { newId } from '#shared/base/ids.ts';
import { log } from '#shared/base/logger.ts';
import { type Breaker, isOpen } from '#shared/webhooks/breaker.ts';
import type { Target } from '#shared/webhooks/subscriber.ts';
import type { TargetStore } from '#shared/webhooks/subscriber-store.ts';
import { announceTarget, tryToAnnounceTarget } from './announce-target.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { type Drain, retryOf } from './notification.ts';
import { lookedAfterMs } from './retry-schedule.ts';

/** A drain begins a little later than the breaker closes, because batches that read it as open still hold deliveries. */
const beginAfterSeconds = 2;

/** A target that has just recovered gets its backlog at this rate, one step a second. */
const releasedPerStep = 100;
const stepSeconds = 1;

/**
 * Seconds until the next round over the list, by the number of rounds that found nothing. After the last of them the
 * drain ends. A delivery process lives for 30 s, so whatever it decided to hold before the breaker closed is written by
 * then.
 */
const roundGaps = [5, 5, 10, 20, 30];

/** What is needed to close a breaker. */
export interface StartDrainContext extends Pick<DeliveryContext, 'breakers' | 'queue' | 'now'> {
  targets: Pick<TargetStore, 'read'>;
}

type DrainContext = StartDrainContext & Pick<DeliveryContext, 'deliveries'>;

/** Closes the breaker of a target that responds again or is resumed. Resolves with `false` if it was not open. */
export async function startDrain(subscriber: string, target: Target, context: StartDrainContext): Promise<boolean> {
  const { breakers, queue, now } = context;
  const token = newId();
  if (!(await breakers.startDraining(subscriber, target, token, now()))) return false;
  log('info', 'target.recovered', { target });
  await queue.send([{ message: { task: 'drain', subscriber, target, token }, delaySeconds: beginAfterSeconds }]);
  // At once, because the breaker forgets when it closed if it opens again.
  await tryToAnnounceTarget({ subscriber, target }, context);
  return true;
}

/** Closes the breaker of a target that responds or has a new URL, and starts to release what is held for it. */
export async function resetBreaker(
  subscriber: string,
  target: Target,
  breaker: Breaker | undefined,
  context: StartDrainContext,
): Promise<void> {
  if (isOpen(breaker)) await startDrain(subscriber, target, context);
  else if (!breaker || breaker.failures === 0) return;
  else if (breaker.drain) await context.breakers.clearFailures(subscriber, target);
  else await context.breakers.reset(subscriber, target);
}

/**
 * Releases the next held deliveries of a target, oldest first, and sends a message for the next step. The drain ends
 * when its rounds have found nothing for over a minute, or when the target fails again.
 */
export async function drain(message: Drain, context: DrainContext): Promise<void> {
  const { subscriber, target, token, after, empty_rounds = 0 } = message;
  const { deliveries, breakers, queue, now } = context;
  const isOurs = await breakers.continueDraining(subscriber, target, token, now());
  // What is held for a deleted target is released as well, so that it is discarded.
  if (!isOurs && (await breakers.read(subscriber, target))) return;
  const held = await take(deliveries.listHeld(subscriber, target, { after, wanted: releasedPerStep }), releasedPerStep);
  // Deliveries are released before their messages are sent. Otherwise a message could be handled first, find that the
  // target has failed again, and hold its delivery; the release would then let it wait for a message that is gone.
  const { released, errors } = await deliveries.release(held, now(), now() + lookedAfterMs);
  await queue.send(released.map((delivery) => ({ message: retryOf(delivery) })));
  // The step is repeated, and finds only those that are still held.
  if (errors.length > 0) throw errors[0];

  const last = held.at(-1);
  const next = { task: 'drain', subscriber, target, token } as const;
  if (last && held.length === releasedPerStep) {
    await queue.send([{ message: { ...next, after: last.id }, delaySeconds: stepSeconds }]);
    return;
  }
  const emptyRounds = last || after !== undefined ? 0 : empty_rounds + 1;
  const delaySeconds = roundGaps[emptyRounds];
  if (delaySeconds !== undefined) {
    await queue.send([{ message: { ...next, empty_rounds: emptyRounds }, delaySeconds }]);
    return;
  }
  // With the drain, the record that the breaker has closed is deleted.
  await announceTarget({ subscriber, target }, context);
  await breakers.endDraining(subscriber, target, token);
}

async function take(deliveries: AsyncGenerator<Delivery>, count: number): Promise<Delivery[]> {
  const taken: Delivery[] = [];
  for await (const delivery of deliveries) {
    taken.push(delivery);
    if (taken.length === count) break;
  }
  return taken;
}
