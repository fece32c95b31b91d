import { log } from '#shared/base/logger.ts';
import type { Target } from '../accounts/subscriber.ts';
import { type Breaker, isPauseDue } from './breaker.ts';
import type { DeliveryContext } from './context.ts';

/** Pauses a target whose breaker has been open for too long; whether it has been. */
export async function pauseWhenDue(
  { number, target }: { number: string; target: Target },
  breaker: Breaker,
  { targets, now }: Pick<DeliveryContext, 'targets' | 'now'>,
): Promise<boolean> {
  if (!isPauseDue(breaker, now())) return false;
  if (await targets.pause(number, target, now())) log('error', 'target.paused', { number, target });
  return true;
}
