import { newId } from '#shared/base/ids.ts';
import type { BreakerStore } from '#shared/webhooks/breaker-store.ts';
import { newTarget, type Target } from '#shared/webhooks/subscriber.ts';

/** Opens the circuit breaker of a target by one more failure, whatever it has counted. */
export async function openBreaker(
  breakers: Pick<BreakerStore, 'read' | 'open'>,
  subscriber: string,
  target: Target,
  { now, probeAt = now + 60_000 }: { now: number; probeAt?: number },
): Promise<boolean> {
  const { url = '', breaker } = (await breakers.read(subscriber, target)) ?? newTarget();
  return breakers.open(subscriber, target, breaker, { url, failed: [newId()], now, probeAt });
}
