import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { deliveryIndexKeys, isIndexed, keys } from '#shared/aws/keys.ts';
import { batchGet, fromItem, required, type Table } from '#shared/aws/table.ts';
import { assign, conditionOf, onCondition, succeeds, unlessUnmet } from '#shared/aws/write.ts';
import type { Lease } from '#shared/base/time-limits.ts';
import type { Target } from '#shared/webhooks/subscriber.ts';
import {
  absentIn,
  type Claim,
  type ClaimedDelivery,
  type Delivery,
  type DeliveryArguments,
  type DeliveryKey,
  type DeliveryState,
  type DeliveryTransition,
  type DueDelivery,
  deliveryArguments,
  deliveryKeptMs,
  deliveryMachine,
  ownClaim,
  type Release,
  type Result,
  type UnclaimedReason,
  unclaimed,
  unclaimedReason,
  unmetBy,
} from './delivery.ts';
import { deliveryLists } from './delivery-list-store.ts';
import { type FirstAttempt, newDelivery, type Replay, type Retry } from './notification.ts';

/** How many attempts of one delivery are kept: the latest. */
export const maxKeptAttempts = 20;

/** How many replays of one delivery are remembered: the latest, since an item holds 400 KB. */
export const maxKeptReplays = 100;

const indexAttributes = ['gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk'];

/** Deliveries and their outcomes. */
export type DeliveryStore = ReturnType<typeof deliveryStore>;

interface Change {
  /** What the condition needs. */
  args: DeliveryArguments;
  /** When the sweep looks after a delivery that waits. */
  due?: number | undefined;
  set?: Readonly<Record<string, unknown>>;
  computed?: { attributes: Readonly<Record<string, string>>; values: Readonly<Record<string, unknown>> };
}

/**
 * Deliveries: one item each, written once when it is claimed and once when its attempt ended. Every write is a
 * transition of `deliveryMachine`, on the condition that the table there states; this is where repeats of a message
 * end.
 */
export function deliveryStore(table: Table) {
  const { client, name: TableName } = table;

  /** Creates a delivery unless it exists; then `otherwise` decides. */
  async function create<T>(
    name: DeliveryTransition,
    delivery: Delivery,
    created: T,
    otherwise: (stored: Delivery | undefined) => T | Promise<T>,
  ): Promise<T> {
    const put = new PutCommand({
      TableName,
      Item: deliveryItem(delivery),
      ...conditionOf(deliveryMachine, name, {}),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return unlessUnmet(
      client.send(put).then(() => created),
      ({ item }) => otherwise(fromItem<Delivery>(item)),
    );
  }

  /** Makes a transition of a delivery that exists. */
  function update(
    name: DeliveryTransition,
    delivery: DeliveryKey,
    state: DeliveryState,
    { args, due, set, computed }: Change,
  ) {
    const attributes = attributesIn(state, delivery, due, set);
    return {
      TableName,
      Key: keys.delivery(delivery.subscriber, delivery.target, delivery.id),
      ...onCondition(
        assign(attributes.set, attributes.remove, computed?.attributes, computed?.values),
        conditionOf(deliveryMachine, name, deliveryArguments(args), { storedAs: { due_key: 'gsi1sk' } }),
      ),
    };
  }

  /** Takes the delivery for an attempt, unless it is not for this message. */
  async function claim(
    name: DeliveryTransition,
    message: DeliveryKey,
    lease: ClaimedDelivery['lease'],
    { args, ...changes }: Change & { args: { now: number } },
  ): Promise<Claim> {
    const command = new UpdateCommand({
      ...update(name, message, 'sending', { args, ...changes, set: { lease } }),
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return unlessUnmet<Claim>(
      client.send(command).then(({ Attributes }) => ({ claimed: required(fromItem<ClaimedDelivery>(Attributes)) })),
      ({ item }) => {
        const stored = fromItem<Delivery>(item);
        return ownClaim(stored, lease) ?? unclaimed(name, stored, args);
      },
    );
  }

  /** Ends or holds a delivery without an attempt; otherwise says why not. */
  function setAside<State extends 'held' | 'discarded'>(
    name: DeliveryTransition,
    message: DeliveryKey,
    state: State,
    { args, ...changes }: Change & { args: { now: number } },
  ): Promise<State | UnclaimedReason> {
    const command = new UpdateCommand({
      ...update(name, message, state, { args, ...changes }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return unlessUnmet<State | UnclaimedReason>(
      client.send(command).then(() => state),
      ({ item }) => unclaimedReason(fromItem<Delivery>(item), args),
    );
  }

  const hold = (message: FirstAttempt | Retry, attempt_count: number, now: number) =>
    setAside('hold', message, 'held', { args: { attempt_count, now } });

  function release(delivery: Delivery, now: number, due: number): Promise<boolean> {
    const args = { attempt_count: delivery.attempt_count };
    const change = update('release', delivery, 'waiting', { args, due, set: { next_attempt_at: now } });
    return succeeds(client.send(new UpdateCommand(change)));
  }

  const discard = (message: DeliveryKey, now: number) => setAside('discard', message, 'discarded', { args: { now } });

  return {
    /** Claims the first attempt, which creates the delivery. */
    async claimFirst(message: FirstAttempt, lease: Lease, now: number): Promise<Claim> {
      const delivery: ClaimedDelivery = { ...newDelivery(message), state: 'sending', lease };
      return create<Claim>('claimFirst', delivery, { claimed: delivery }, (stored) => {
        const own = ownClaim(stored, lease);
        if (own) return own;
        const args = { attempt_count: 0, now };
        if (unmetBy(stored, 'takeOver', args).length === 0) return claim('takeOver', message, lease, { args });
        // While a later attempt is in progress, the message of the first has nothing left to do.
        return { why: stored?.attempt_count === 0 ? unclaimedReason(stored, args) : 'repeat' };
      });
    },

    /**
     * Claims the next attempt of the schedule, or that of a target that responds again. It is one write: between two, the
     * attempt that sent the message could be recorded, and the message would look like a repeat. The wait is checked
     * because an attempt that two delivery processes made in turn has two messages, and the delivery waits for the later
     * one.
     */
    claimRetry: (message: Retry, lease: Lease, now: number): Promise<Claim> =>
      claim('claimRetry', message, lease, { args: { attempt_count: message.attempt_count, now } }),

    /**
     * The same for an attempt that probes the target. It also claims a delivery that is held, which has no other message
     * to bring it back if this attempt is cut off.
     */
    claimProbe: (message: Retry, lease: Lease, now: number): Promise<Claim> =>
      claim('claimProbe', message, lease, { args: { attempt_count: message.attempt_count, now } }),

    /** Claims an attempt in any state, once for each replay. */
    async claimReplay(message: Replay, lease: Lease, now: number): Promise<Claim> {
      const { replay } = message;
      const args = { replay, now };
      const claimed = await claim(
        'claimReplay',
        message,
        { ...lease, replay },
        {
          args,
          computed: {
            attributes: {
              previous_state: 'if_not_exists(#previous_state, #state)',
              replays: 'list_append(#replays, :replays)',
            },
            values: { ':replays': [replay] },
          },
        },
      );
      if (claimed.claimed || claimed.why === 'in-progress') return claimed;
      return claim('resumeReplay', message, { ...lease, replay }, { args });
    },

    /** Holds a delivery until the breaker closes, or returns why it cannot, as a claim does. */
    async hold(message: FirstAttempt | Retry, now: number): Promise<'held' | UnclaimedReason> {
      if (message.task === 'retry') return hold(message, message.attempt_count, now);
      const delivery: Delivery = { ...newDelivery(message), state: 'held' };
      return create<'held' | UnclaimedReason>('holdFirst', delivery, 'held', () => hold(message, 0, now));
    },

    /** Stores a notification that is discarded before its first attempt, or ends the existing delivery. */
    discardFirst(message: FirstAttempt, now: number): Promise<'discarded' | UnclaimedReason> {
      const delivery: Delivery = { ...newDelivery(message), state: 'discarded' };
      return create<'discarded' | UnclaimedReason>('discardFirst', delivery, 'discarded', () => discard(message, now));
    },

    /** Ends a delivery that is no longer sent, because its target lost its URL or its number was switched off. */
    discard,

    /** Records the outcome of the attempt, if the delivery is still ours. `false` when another process took it over. */
    async record(claimed: ClaimedDelivery, result: Result): Promise<boolean> {
      const { state, attempt, attempt_count, next_attempt_at, look_after_at: due } = result;
      const set = {
        attempt_count,
        attempts: [...claimed.attempts, attempt].slice(-maxKeptAttempts),
        ...(claimed.replays.length > maxKeptReplays && { replays: claimed.replays.slice(-maxKeptReplays) }),
        next_attempt_at,
      };
      const args = { holder: claimed.lease.holder };
      return succeeds(client.send(new UpdateCommand(update('record', claimed, state, { args, due, set }))));
    },

    /** Finds a delivery among those to these targets. */
    async get(subscriber: string, id: string, targets: readonly Target[]): Promise<Delivery | undefined> {
      const [item] = await batchGet(
        table,
        targets.map((each) => keys.delivery(subscriber, each, id)),
      );
      return fromItem<Delivery>(item);
    },

    /** Stores a delivery whose attempt did not come from the queue; one that waits with the time when the sweep checks it. */
    async insert(delivery: Delivery, lookAfterAt?: number): Promise<void> {
      await client.send(new PutCommand({ TableName, Item: deliveryItem(delivery, lookAfterAt) }));
    },

    /** Postpones the next check of a waiting delivery; `false` when another sweep did, or its wait is over. */
    postpone(due: DueDelivery, until: number): Promise<boolean> {
      const args = { due_key: due.due_key };
      return succeeds(client.send(new UpdateCommand(update('postpone', due, 'waiting', { args, due: until }))));
    },

    /**
     * Lets held deliveries wait for the messages that are sent for them. The sweep checks them later, in case a message
     * is lost. Some can be released while others fail.
     */
    async release(held: readonly Delivery[], now: number, lookAfterAt: number): Promise<Release> {
      const outcomes = await Promise.allSettled(held.map((delivery) => release(delivery, now, lookAfterAt)));
      return {
        released: held.filter((_, place) => outcomes[place]?.status === 'fulfilled'),
        errors: outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : [])),
      };
    },

    ...deliveryLists(table),
  };
}

/** The item of a delivery, which the sweep checks when it is due. */
export function deliveryItem(delivery: Delivery, due?: number) {
  return {
    ...keys.delivery(delivery.subscriber, delivery.target, delivery.id),
    ...indexEntry(delivery.state, delivery, due),
    ...delivery,
    ...deliveryExpiry(delivery),
  };
}

/** What the transition to a state sets and removes. */
function attributesIn(
  state: DeliveryState,
  delivery: DeliveryKey,
  due: number | undefined,
  changes: Readonly<Record<string, unknown>> = {},
): { set: Record<string, unknown>; remove: string[] } {
  const set: Record<string, unknown> = { state, ...indexEntry(state, delivery, due), ...changes };
  return { set, remove: [...indexAttributes, ...absentIn[state]].filter((name) => set[name] === undefined) };
}

/** The keys by which indexes find a delivery in this state. */
function indexEntry(
  state: DeliveryState,
  { subscriber, target, id }: DeliveryKey,
  due?: number,
): Record<string, string> {
  return {
    ...(isIndexed(state) && deliveryIndexKeys.inState(state, subscriber, target, id)),
    ...(due !== undefined && deliveryIndexKeys.due(id, due)),
  };
}

/** When DynamoDB deletes what is stored of a delivery. */
export function deliveryExpiry({ created_at }: Pick<Delivery, 'created_at'>) {
  return { expires_at_seconds: Math.ceil((created_at + deliveryKeptMs) / 1000) };
}
