import { newId } from '../ids.ts';
import { log } from '../logger.ts';
import type { Target } from '../numbers/number.ts';
import { type Breaker, isOpen } from './breaker.ts';
import type { DeliveryContext } from './context.ts';
import type { Delivery } from './delivery.ts';
import type { Drain } from './message.ts';

/** A drain begins when everybody knows that the target is in order: before, they would pass over what it releases. */
const beginAfterSeconds = 2;

/** A target that has just come back gets its backlog at this pace, a step each second. */
const releasedPerStep = 100;
const stepSeconds = 1;

/** What was being written while its part of the list was read is found by going over the list once more, after this. */
const nextRoundSeconds = 5;

type DrainContext = Pick<DeliveryContext, 'deliveries' | 'targets' | 'queue' | 'now'>;

/** Closes the breaker of a target that answers again, or that somebody resumes; `false` when it was not open. */
export async function startDrain(
  number: string,
  target: Target,
  { targets, queue, now }: Omit<DrainContext, 'deliveries'>,
): Promise<boolean> {
  const token = newId();
  if (!(await targets.startDraining(number, target, token, now()))) return false;
  log('info', 'target.closed', { number, target });
  await queue.send([{ message: { do: 'drain', number, target, token }, delaySeconds: beginAfterSeconds }]);
  return true;
}

/** Begins anew with a target that answers, or that has another URL now: what was held for it is released. */
export async function forgetFailures(
  number: string,
  target: Target,
  breaker: Breaker | undefined,
  context: Omit<DrainContext, 'deliveries'>,
): Promise<void> {
  if (!breaker) return;
  if (isOpen(breaker)) await startDrain(number, target, context);
  else if (!breaker.drain) await context.targets.reset(number, target);
  else if (breaker.failures > 0) await context.targets.clearFailures(number, target);
}

/**
 * Releases the next held deliveries of a target, oldest first, and leaves a message to go on. It ends when a whole round
 * finds nothing, or when the target fails again.
 */
export async function drain({ number, target, token, after }: Drain, context: DrainContext): Promise<void> {
  const { deliveries, targets, queue, now } = context;
  if (!(await targets.continueDraining(number, target, token, now()))) return;
  const held = await take(deliveries.listHeld(number, target, { after }), releasedPerStep);
  await queue.send(
    held.map(({ id, attempt_count }) => ({ message: { do: 'retry', number, target, id, attempt_count } })),
  );
  const last = held.at(-1);
  if (!last && after === undefined && (await isSettled(number, target, context))) {
    await targets.endDraining(number, target, token);
    return;
  }
  const roundEnds = held.length < releasedPerStep;
  await queue.send([
    {
      message: { do: 'drain', number, target, token, ...(!roundEnds && last && { after: last.id }) },
      delaySeconds: roundEnds ? nextRoundSeconds : stepSeconds,
    },
  ]);
}

/** Whether the target has been closed long enough for everyone to know, so that nothing is held for it any more. */
async function isSettled(number: string, target: Target, { targets, now }: DrainContext): Promise<boolean> {
  const since = (await targets.read(number))?.breakers[target]?.drain?.since;
  return since !== undefined && now() - since >= nextRoundSeconds * 1000;
}

async function take(deliveries: AsyncGenerator<Delivery>, count: number): Promise<Delivery[]> {
  const taken: Delivery[] = [];
  for await (const delivery of deliveries) {
    taken.push(delivery);
    if (taken.length === count) break;
  }
  return taken;
}
