import { join } from '#shared/aws/keys.ts';
import type { Target } from '#shared/webhooks/target.ts';
import type { DeliveryState } from './delivery.ts';

/** The keys of the entries of deliveries. */
export const deliveryKeys = {
  delivery: (subscriber: string, target: Target, delivery: string) => ({
    pk: deliveryPartition(subscriber, target, shardOf(delivery, deliveryShards[target])),
    sk: join('DELIVERY', delivery),
  }),
  /** The entry of a delivery whose event happened long before or after its creation. */
  offTime: (subscriber: string, delivery: string) => ({
    pk: offTimePartition(subscriber, shardOf(delivery, offTimeShards)),
    sk: join('OFF_TIME', delivery),
  }),
};

/** The attributes by which an index finds a delivery. */
export const deliveryIndexKeys = {
  due: (delivery: string, at: number) => ({
    gsi1pk: duePartition(shardOf(delivery, dueShards)),
    gsi1sk: dueBefore(at) + delivery,
  }),
  /** Finds the deliveries of a target in one state. A delivery that waits is in `gsi1` by the time when it is due. */
  inState: (state: IndexedState, subscriber: string, target: Target, delivery: string) => {
    const found = stateIndex(state, subscriber, target, shardOf(delivery, stateShards));
    const sk = join('DELIVERY', delivery);
    return found.index === 'gsi1' ? { gsi1pk: found.partition, gsi1sk: sk } : { gsi2pk: found.partition, gsi2sk: sk };
  },
};

/**
 * The number of partitions for the deliveries of a subscriber to each target; a list merges them. A number may have
 * 4,000 messages and statuses a second, each for two targets and written twice at 1 or 2 KB, while a partition accepts
 * 1,000 write units a second. Calls are fewer.
 */
export const deliveryShards: Readonly<Record<Target, number>> = {
  webhook: 32,
  secondary_webhook: 32,
  calls_webhook: 8,
};

/** The number of partitions for the entries of a subscriber's deliveries that are off time. */
export const offTimeShards = 8;

/**
 * The states in which an index finds a delivery, because few deliveries are in them, and a list of these must not read
 * all others. To index `sending` and `delivered` would cost write units for each notification.
 */
const indexedStates = ['waiting', 'held', 'exhausted', 'discarded'] as const satisfies DeliveryState[];

export type IndexedState = (typeof indexedStates)[number];

export const isIndexed = (state: DeliveryState): state is IndexedState => indexedStates.some((each) => each === state);

/**
 * The number of partitions for the deliveries of one target that are in one state: the index stores only their keys,
 * written once each.
 */
export const stateShards = 16;

/** The number of index partitions for the waiting deliveries of all subscribers. */
export const dueShards = 16;

export const deliveryPartition = (subscriber: string, target: Target, shard: number) =>
  `${join('DELIVERIES', subscriber)}#${target}#${shard}` as const;

export const offTimePartition = (subscriber: string, shard: number) =>
  `${join('OFF_TIME', subscriber)}#${shard}` as const;

export function stateIndex(state: IndexedState, subscriber: string, target: Target, shard: number) {
  const place = `${target}#${shard}` as const;
  return state === 'waiting'
    ? { index: 'gsi2' as const, partition: `${join('WAITING', subscriber)}#${place}` as const }
    : { index: 'gsi1' as const, partition: `${join(partitionOfState[state], subscriber)}#${place}` as const };
}

const partitionOfState = { held: 'HELD', exhausted: 'EXHAUSTED', discarded: 'DISCARDED' } as const;

export const duePartition = (shard: number) => `DUE#${shard}` as const;

/** Everything that is due before this time has a lower sort key. */
export const dueBefore = (at: number) => `${String(Math.round(at)).padStart(15, '0')}#`;

/** The last digits of a delivery's id come from a hash, so they spread evenly. */
function shardOf(delivery: string, shards: number): number {
  return Number.parseInt(delivery.slice(-4), 16) % shards;
}
