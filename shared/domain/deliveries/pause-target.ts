import { log } from '#shared/base/logger.ts';
import type { Target } from '../accounts/subscriber.ts';
import { tryToAnnounceTarget } from './announce-target.ts';
import { type Breaker, isPauseDue } from './breaker.ts';
import type { DeliveryContext } from './context.ts';

/** Pauses a target whose breaker has been open for too long; whether it has been. */
export async function pauseWhenDue(
  { number, target }: { number: string; target: Target },
  breaker: Breaker,
  context: Pick<DeliveryContext, 'targets' | 'queue' | 'now'>,
): Promise<boolean> {
  const { targets, now } = context;
  if (!isPauseDue(breaker, now())) return false;
  if (await targets.pause(number, target, now())) {
    log('error', 'target.paused', { subscriber: number, target });
    await tryToAnnounceTarget({ number, target }, context);
  }
  return true;
}
