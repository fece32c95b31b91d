import { newId } from '../ids.ts';
import { log } from '../logger.ts';
import type { Target } from '../numbers/number.ts';
import { type Breaker, isGivenUp, isOpen, mayProbe } from './breaker.ts';
import type { DeliveryContext } from './context.ts';

/** The sweep runs each minute and looks this far ahead: what comes due before the next one gets its delay in the queue. */
const lookAheadMs = 60_000;

/** A drain that goes on takes a step at least this often. */
const stalledAfterMs = 60_000;

export type SweepContext = Pick<DeliveryContext, 'deliveries' | 'targets' | 'queue' | 'now'>;

/**
 * Sends what has waited long enough to the queue, probes targets that are out of order, and goes on with backlogs.
 * Running twice at once, or again before the queue has delivered, does no harm: a repeat finds its delivery claimed.
 */
export async function sweep(context: SweepContext): Promise<void> {
  await Promise.all([sendDue(context), tendTargets(context)]);
}

async function sendDue({ deliveries, queue, now }: SweepContext): Promise<void> {
  let batch: Parameters<typeof queue.send>[0][number][] = [];
  const flush = async () => {
    const full = batch;
    batch = [];
    await queue.send(full);
  };
  for await (const { number, target, id, attempt_count, next_attempt_at = 0 } of deliveries.listDue(
    now() + lookAheadMs,
  )) {
    batch.push({
      message: { do: 'retry', number, target, id, attempt_count },
      delaySeconds: Math.max(0, (next_attempt_at - now()) / 1000),
    });
    if (batch.length === 100) await flush();
  }
  await flush();
}

/** A drain goes on by messages to itself; one that stopped in the middle is begun anew, under another token. */
async function resumeStalledDrain(
  number: string,
  target: Target,
  drain: NonNullable<Breaker['drain']>,
  { targets, queue, now }: Omit<SweepContext, 'deliveries'>,
): Promise<void> {
  if (now() - drain.at < stalledAfterMs) return;
  const token = newId();
  if (await targets.continueDraining(number, target, drain.token, now(), token)) {
    await queue.send([{ message: { do: 'drain', number, target, token } }]);
  }
}

async function tendTargets({ deliveries, targets, queue, now }: SweepContext): Promise<void> {
  for await (const { number, target, breaker } of targets.listTroubled()) {
    if (breaker.drain) await resumeStalledDrain(number, target, breaker.drain, { targets, queue, now });
    else if (isOpen(breaker) && isGivenUp(breaker, now())) {
      if (await targets.pause(number, target, now())) log('error', 'target.paused', { number, target });
    } else if (mayProbe(breaker, now())) await sendProbe(number, target, breaker, { deliveries, targets, queue });
  }
}

/**
 * Now the oldest that is held, now the newest: one that the receiver cannot digest says nothing about the others. Those
 * that a removed URL left behind are sent along, to be ended: they are no probes.
 */
async function sendProbe(
  number: string,
  target: Target,
  { probes = 0 }: Breaker,
  { deliveries, targets, queue }: Omit<SweepContext, 'now'>,
): Promise<void> {
  const order = probes % 2 === 0 ? 'oldest-first' : 'newest-first';
  const removedAt = (await targets.read(number))?.number[`${target}_removed_at`] ?? 0;
  const messages: Parameters<typeof queue.send>[0][number][] = [];
  for await (const { id, attempt_count, created_at } of deliveries.listHeld(number, target, { order, atOnce: 1 })) {
    // The message that finds the probe due takes it.
    messages.push({ message: { do: 'retry', number, target, id, attempt_count } });
    if (created_at > removedAt || messages.length === 100) break;
  }
  await queue.send(messages);
}
