import { log } from '#shared/base/log/logger.ts';
import { type Breaker, isPauseDue } from '../subscribers/breaker.ts';
import type { Target } from '../subscribers/target.ts';
import { tryToAnnounceTarget } from './announce-target.ts';
import type { DeliveryContext } from './context.ts';

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
