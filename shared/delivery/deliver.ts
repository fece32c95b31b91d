import { randomUUID } from 'node:crypto';
import { presentRequest, withLogContext } from '#shared/base/logger.ts';
import { type Lease, leaseMarginMs } from '#shared/base/time-limits.ts';
import { type Breaker, isOpen, isProbeDue, nextProbeAt } from '#shared/webhooks/breaker.ts';
import { headersFor } from '#shared/webhooks/receiver-headers.ts';
import { type DeliverySettings, type TargetRecord, urlRemovedSince } from '#shared/webhooks/subscriber.ts';
import { secretsOf, type TargetSecrets } from '#shared/webhooks/webhook-signature.ts';
import {
  type AttemptMade,
  attemptRecord,
  isReceived,
  makeAttempt,
  recordFailedReplay,
  recordFailure,
  recordSuccess,
  recordUsedAttempt,
} from './attempt.ts';
import { type Claim, longestDelaySeconds, type UnclaimedReason } from './delivery.ts';
import type { DeliveryContext, ProcessContext } from './delivery-context.ts';
import { type AttemptMessage, type Retry, requeue } from './notification.ts';

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
    (await kind.isForRemovedUrl?.(message, target, context))
  ) {
    const { deliveries, now } = context;
    const ended = kind.discard?.(message, target !== undefined, context) ?? deliveries.discard(message, now());
    return secondsIfInProgress(await ended);
  }
  const { url, breaker } = target;
  const isProbe = kind.hold !== undefined && (await takesProbe(message, breaker, context));
  if (kind.hold && isOpen(breaker) && !isProbe) {
    return secondsIfInProgress(await kind.hold(message, context));
  }
  return claimAndAttempt(message, { kind, settings, url, breaker, isProbe }, context);
}

interface AttemptBasis extends Pick<AttemptMade, 'breaker'> {
  settings: DeliverySettings;
  url: string;
  kind: MessageKind<AttemptMessage>;
  isProbe: boolean;
}

async function claimAndAttempt(
  message: AttemptMessage,
  { kind, settings, url, breaker, isProbe }: AttemptBasis,
  context: DeliveryContext,
): Promise<number | undefined> {
  // Each attempt is a holder of its own, because a slow process may take over its own expired lease.
  const lease = { holder: randomUUID(), until: context.now() + context.timeoutMs + leaseMarginMs };
  const [outcome, stored] = await Promise.all([
    kind.claim(message, lease, context, isProbe),
    context.secretsFor(settings, message.target),
  ]);
  if (!outcome.claimed) {
    // An early message may be the delivery's only one.
    return outcome.why === 'early'
      ? Math.min((outcome.due - context.now()) / 1000, longestDelaySeconds)
      : secondsIfInProgress(outcome.why);
  }
  const secrets = stored && secretsOf(stored, message.target);
  // The next handling of the message finds no target.
  if (!secrets) throw new Error('The target was deleted meanwhile');
  const claimed = { kind, delivery: outcome.claimed, secrets, url, breaker };
  // A replay belongs to the request that asked for it.
  const request = presentRequest() ?? outcome.claimed.request;
  await withLogContext({ request }, () => attemptClaimed(claimed, context));
  return undefined;
}

interface Claimed extends Omit<AttemptBasis, 'isProbe' | 'settings'>, Pick<AttemptMade, 'delivery'> {
  secrets: TargetSecrets;
}

async function attemptClaimed(
  { kind, delivery, secrets, url, breaker }: Claimed,
  context: DeliveryContext,
): Promise<void> {
  const { id, subscriber, target, format, sent_flow: sentFlow } = delivery;
  const body = await context.readPayload(delivery.payload);
  const headers = headersFor(url, secrets.headers);
  const notification = { id, url, format, body, secrets, headers, sentFlow };
  const attempt = await makeAttempt(notification, context);
  const record = attemptRecord(attempt, context.now(), { isReplay: kind.isReplay, headers, secrets });
  if (kind.counts) {
    context.outcomes.push({ subscriber, target, url, breaker, delivery: id, isReceived: isReceived(attempt) });
  }
  const attemptMade = { delivery, attempt, record, breaker };
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

export function newBatch(context: ProcessContext): DeliveryContext {
  const reads = new Map<string, Promise<DeliverySettings | undefined>>();
  return {
    ...context,
    readSettings(subscriber) {
      const settings = reads.get(subscriber) ?? context.targets.read(subscriber);
      reads.set(subscriber, settings);
      return settings;
    },
    outcomes: [],
    startedAt: context.now(),
  };
}

/** How the kinds of message that ask for an attempt differ. */
interface MessageKind<Message extends AttemptMessage> {
  /**
   * Whether the notification came before its target lost an earlier URL, and so is not meant for the current one. A kind
   * without this goes to the current URL all the same.
   */
  isForRemovedUrl?(message: Message, target: TargetRecord, context: DeliveryContext): Promise<boolean>;
  /** Ends a delivery that may have no record yet. `isKnown` is false when the target is deleted. */
  discard?(message: Message, isKnown: boolean, context: DeliveryContext): Promise<'discarded' | UnclaimedReason>;
  /** Holds the delivery while the breaker is open. A kind without this makes the attempt all the same. */
  hold?(message: Message, context: DeliveryContext): Promise<'held' | UnclaimedReason>;
  claim(message: Message, lease: Lease, context: DeliveryContext, isProbe: boolean): Promise<Claim>;
  /** Whether the customer asked for the attempt. */
  isReplay?: boolean;
  /** Whether the attempt counts for or against the target, as those of the schedule do. */
  counts?: boolean;
  /** Records a failure. */
  onFailure(attemptMade: AttemptMade, context: DeliveryContext): Promise<void>;
}

type MessageKinds = { [Task in AttemptMessage['task']]: MessageKind<Extract<AttemptMessage, { task: Task }>> };

/** A test is meant to show what the receiver does, whatever its breaker says and whichever URL it has by now. */
const testRetry: MessageKind<Retry> = {
  onFailure: recordUsedAttempt,
  claim: (message, lease, { deliveries, now }) => deliveries.claimRetry(message, lease, now()),
};

const kinds: MessageKinds = {
  deliver: {
    counts: true,
    onFailure: recordFailure,
    isForRemovedUrl: async ({ target_version }, target) => urlRemovedSince(target, target_version),
    // A notification that was never attempted gets a record, unless no target is left to have one.
    discard: (message, isKnown, { deliveries, now }) =>
      isKnown ? deliveries.discardFirst(message, now()) : deliveries.discard(message, now()),
    hold: (message, { deliveries, now }) => deliveries.hold(message, now()),
    claim: (message, lease, { deliveries, now }) => deliveries.claimFirst(message, lease, now()),
  },

  retry: {
    counts: true,
    onFailure: recordFailure,
    async isForRemovedUrl(message, target, { deliveries }) {
      if (!urlRemovedSince(target)) return false;
      const delivery = await deliveries.get(message.subscriber, message.id, [message.target]);
      return delivery !== undefined && urlRemovedSince(target, delivery.target_version);
    },
    hold: (message, { deliveries, now }) => deliveries.hold(message, now()),
    claim: (message, lease, { deliveries, now }, isProbe) =>
      isProbe ? deliveries.claimProbe(message, lease, now()) : deliveries.claimRetry(message, lease, now()),
  },

  // It says nothing about the target: it may be one notification that the receiver cannot handle.
  replay: {
    isReplay: true,
    onFailure: recordFailedReplay,
    claim: (message, lease, { deliveries, now }) => deliveries.claimReplay(message, lease, now()),
  },
};

/** Returns the kind of a message. The cast is safe, because each kind takes the messages under whose name it stands. */
function messageKindOf(message: AttemptMessage): MessageKind<AttemptMessage> {
  const kind = message.task === 'retry' && message.test ? testRetry : kinds[message.task];
  return kind as MessageKind<AttemptMessage>;
}
