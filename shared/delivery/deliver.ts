import { randomUUID } from 'node:crypto';
import { log, presentRequest, withLogContext } from '#shared/base/logger.ts';
import { leaseFor, leaseMarginMs } from '#shared/base/time-limits.ts';
import { type Breaker, isOpen, isProbeDue, nextProbeAt } from '#shared/webhooks/breaker.ts';
import { headersFor } from '#shared/webhooks/receiver-headers.ts';
import type { SubscriberSecrets } from '#shared/webhooks/secret-store.ts';
import { attemptRecord, isReceived, makeAttempt } from './attempt.ts';
import { longestDelaySeconds } from './delivery.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { UnclaimedReason } from './delivery-records.ts';
import { type MessageKind, messageKindOf } from './message-kinds.ts';
import type { AttemptMessage, QueueMessage, Retry } from './notification.ts';
import { type AttemptMade, recordSuccess } from './outcome.ts';

/** How soon to look again at a delivery that another process is sending. */
const nextLookSeconds = 1;

/**
 * Makes the attempt that a message asks for, unless it was made already or the target's breaker is open. If the
 * receiver fails, that is an outcome, not an exception.
 */
export async function deliver(message: AttemptMessage, context: DeliveryContext): Promise<void> {
  const delaySeconds = await attemptUnlessEarly(message, context);
  if (delaySeconds !== undefined) await requeue(message, delaySeconds, context);
}

/** Returns the seconds after which the message must be handled again, if it must. */
async function attemptUnlessEarly(message: AttemptMessage, context: DeliveryContext): Promise<number | undefined> {
  const kind = messageKindOf(message);
  const settings = await context.readSettings(message.subscriber);
  const target = settings?.targets[message.target];
  if (
    !settings?.subscriber.active ||
    target?.url === undefined ||
    (await kind.isForRemovedUrl(message, settings, context))
  ) {
    return secondsIfInProgress(await kind.discard(message, settings !== undefined, context));
  }
  const { url, breaker } = target;
  const isProbe = kind.hold !== undefined && (await takesProbe(message, breaker, context));
  if (kind.hold && isOpen(breaker) && !isProbe) {
    return secondsIfInProgress(await kind.hold(message, context));
  }
  return claimAndAttempt(message, { kind, settings, url, isProbe }, context);
}

interface AttemptBasis extends Pick<AttemptMade, 'settings'> {
  url: string;
  kind: MessageKind<AttemptMessage>;
  isProbe: boolean;
}

async function claimAndAttempt(
  message: AttemptMessage,
  { kind, settings, url, isProbe }: AttemptBasis,
  context: DeliveryContext,
): Promise<number | undefined> {
  // Each attempt is a holder of its own, because a slow process may take over its own expired lease.
  const lease = leaseFor(randomUUID(), context.now(), context.timeoutMs + leaseMarginMs);
  const [outcome, secrets] = await Promise.all([
    kind.claim(message, lease, context, isProbe),
    context.secretsFor(settings, message.target),
  ]);
  if (!outcome.claimed) {
    // An early message may be the delivery's only one.
    return outcome.why === 'early'
      ? Math.min((outcome.due - context.now()) / 1000, longestDelaySeconds)
      : secondsIfInProgress(outcome.why);
  }
  // The next handling of the message finds no subscriber.
  if (!secrets) throw new Error('The subscriber was deleted meanwhile');
  const claimed = { kind, delivery: outcome.claimed, secrets, settings, url };
  // A replay belongs to the request that asked for it.
  const request = presentRequest() ?? outcome.claimed.request;
  await withLogContext({ request }, () => attemptClaimed(claimed, context));
  return undefined;
}

interface Claimed extends Omit<AttemptBasis, 'isProbe'>, Pick<AttemptMade, 'delivery'> {
  secrets: SubscriberSecrets;
}

async function attemptClaimed(
  { kind, delivery, secrets, settings, url }: Claimed,
  context: DeliveryContext,
): Promise<void> {
  const { target } = delivery;
  const body = await context.readPayload(delivery.payload);
  const headers = headersFor(url, secrets.headers[target]);
  const notification = { id: delivery.id, url, body, secrets, headers, sentFlow: delivery.sent_flow };
  const attempt = await makeAttempt(notification, context);
  const record = attemptRecord(attempt, context.now(), { isReplay: kind.isReplay, headers });
  if (kind.counts) {
    const { breaker } = settings.targets[target];
    const { id, subscriber } = delivery;
    context.outcomes.push({ subscriber, target, url, breaker, delivery: id, isReceived: isReceived(attempt) });
  }
  const attemptMade = { delivery, attempt, record, settings };
  await (isReceived(attempt) ? recordSuccess : kind.onFailure)(attemptMade, context);
}

/**
 * If another process is sending the delivery, the message must be handled again, so that this process can take over if
 * the other never finishes. The message is not returned to the queue: it would stay invisible for minutes and count as
 * failed.
 */
function secondsIfInProgress(outcome: 'held' | 'discarded' | UnclaimedReason): number | undefined {
  return outcome === 'in-progress' ? nextLookSeconds : undefined;
}

/** Whether the breaker is half-open, and this attempt is its probe. */
async function takesProbe(message: AttemptMessage, breaker: Breaker, context: DeliveryContext): Promise<boolean> {
  const { breakers, schedule, now, random } = context;
  const isRetry = message.task === 'retry';
  const askedAt = now();
  if (!isProbeDue(breaker, askedAt) || (isRetry && message.after_probe)) return false;
  const nextAt = nextProbeAt((breaker.probes ?? 0) + 1, schedule, askedAt, random());
  const isTaken = await breakers.takeProbe(message.subscriber, message.target, breaker, askedAt, nextAt);
  if (isTaken && isRetry) await sendAfterProbe(message, context);
  return isTaken;
}

/**
 * Sends the message again, for the time after the probe's lease. A process that handles a copy of it now may hold the
 * delivery, and then the queue deletes the message. If the probe claims the delivery after that and is cut off, only a
 * new message brings it back.
 */
function sendAfterProbe(message: Retry, { queue, timeoutMs }: DeliveryContext): Promise<void> {
  const delaySeconds = (timeoutMs + leaseMarginMs) / 1000;
  return queue.send([{ message: { ...message, after_probe: true }, delaySeconds }]);
}

/** Most messages are requeued a few times at most. One that gets here is most likely requeued without end. */
const requeueLimit = 5_000;

/**
 * Sends a message again as it is, to be handled later. Lambda does not stop a chain through the queue, because a drain
 * is one, so the messages count their returns themselves.
 */
export async function requeue(
  message: QueueMessage,
  delaySeconds: number,
  { queue }: Pick<DeliveryContext, 'queue'>,
): Promise<void> {
  const returns = (message.returns ?? 0) + 1;
  if (returns % requeueLimit === 0) log('error', 'delivery.requeue-limit', { returns });
  await queue.send([{ message: { ...message, returns }, delaySeconds }]);
}
