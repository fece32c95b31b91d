import type { Lease } from '#shared/base/time-limits.ts';
import { urlRemovedSince } from '#shared/webhooks/target.ts';
import type { DeliverySettings } from '#shared/webhooks/target-store.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { Claim, UnclaimedReason } from './delivery-records.ts';
import type { AttemptMessage, Retry } from './notification.ts';
import { type AttemptMade, recordFailedReplay, recordFailure, recordUsedAttempt } from './outcome.ts';

/** How the kinds of message that ask for an attempt differ. */
export interface MessageKind<Message extends AttemptMessage> {
  /** Whether the notification came before its target lost an earlier URL, and so is not meant for the current one. */
  isForRemovedUrl(message: Message, settings: DeliverySettings, context: DeliveryContext): Promise<boolean>;
  /** Ends the delivery. `isKnown` is false when the subscriber is deleted. */
  discard(message: Message, isKnown: boolean, context: DeliveryContext): Promise<'discarded' | UnclaimedReason>;
  /** Holds the delivery while the breaker is open. A kind without this makes the attempt all the same. */
  hold?(message: Message, context: DeliveryContext): Promise<'held' | UnclaimedReason>;
  claim(message: Message, lease: Lease, context: DeliveryContext, isProbe: boolean): Promise<Claim>;
  /** Whether the customer asked for the attempt. */
  isReplay: boolean;
  /** Whether the attempt counts for or against the target. */
  counts: boolean;
  /** Records a failure. */
  onFailure(attemptMade: AttemptMade, context: DeliveryContext): Promise<void>;
}

type MessageKinds = { [Task in AttemptMessage['task']]: MessageKind<Extract<AttemptMessage, { task: Task }>> };

/** Attempts of the schedule count for or against the target. */
const scheduled = { isReplay: false, counts: true, onFailure: recordFailure };

/** A replay says nothing about the target: it may be one notification that the receiver cannot handle. */
const replayed = { isReplay: true, counts: false, onFailure: recordFailedReplay };

/** A test is meant to show what the receiver does, whatever its breaker says and whichever URL it has by now. */
const testRetry: MessageKind<Retry> = {
  isReplay: false,
  counts: false,
  onFailure: recordUsedAttempt,
  isForRemovedUrl: async () => false,
  discard: (message, _, { deliveries, now }) => deliveries.discard(message, now()),
  claim: (message, lease, { deliveries, now }) => deliveries.claimRetry(message, lease, now()),
};

const kinds: MessageKinds = {
  deliver: {
    ...scheduled,
    isForRemovedUrl: async ({ target, target_version }, { targets }) =>
      urlRemovedSince(targets[target], target_version),
    // A notification that was never attempted gets a record, unless no subscriber is left to have one.
    discard: (message, isKnown, { deliveries, now }) =>
      isKnown ? deliveries.discardFirst(message, now()) : deliveries.discard(message, now()),
    hold: (message, { deliveries, now }) => deliveries.hold(message, now()),
    claim: (message, lease, { deliveries, now }) => deliveries.claimFirst(message, lease, now()),
  },

  retry: {
    ...scheduled,
    async isForRemovedUrl(message, { targets }, { deliveries }) {
      const target = targets[message.target];
      if (!urlRemovedSince(target)) return false;
      const delivery = await deliveries.get(message.subscriber, message.id, message.target);
      return delivery !== undefined && urlRemovedSince(target, delivery.target_version);
    },
    discard: (message, _, { deliveries, now }) => deliveries.discard(message, now()),
    hold: (message, { deliveries, now }) => deliveries.hold(message, now()),
    claim: (message, lease, { deliveries, now }, isProbe) =>
      isProbe ? deliveries.claimProbe(message, lease, now()) : deliveries.claimRetry(message, lease, now()),
  },

  replay: {
    ...replayed,
    // A replay goes to the current URL.
    isForRemovedUrl: async () => false,
    discard: (message, _, { deliveries, now }) => deliveries.discard(message, now()),
    claim: (message, lease, { deliveries, now }) => deliveries.claimReplay(message, lease, now()),
  },
};

/** Returns the kind of a message. The cast is safe, because each kind takes the messages under whose name it stands. */
export function messageKindOf(message: AttemptMessage): MessageKind<AttemptMessage> {
  const kind = message.task === 'retry' && message.test ? testRetry : kinds[message.task];
  return kind as MessageKind<AttemptMessage>;
}
