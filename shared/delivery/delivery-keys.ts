import { join } from '#shared/aws/keys.ts';
import type { Target } from '#shared/webhooks/target.ts';
import type { DeliveryState } from './delivery.ts';

/** The keys of the entries of deliveries. */
export const deliveryKeys = {
  delivery: (subscriber: string, target: Target, delivery: string) => ({
    pk: deliveryPartition(subscriber, target, shardOf(delivery)),
    sk: join('DELIVERY', delivery),
  }),
};

/** The attributes by which an index finds a delivery. */
export const deliveryIndexKeys = {
  due: (delivery: string, at: number) => ({
    gsi1pk: duePartition(shardOf(delivery)),
    gsi1sk: dueBefore(at) + delivery,
  }),
  /** Finds the deliveries of a target in one state. A delivery that waits is in `gsi1` by the time when it is due. */
  inState: (state: IndexedState, subscriber: string, target: Target, delivery: string) => {
    const found = stateIndex(state, subscriber, target, shardOf(delivery));
    const sk = join('DELIVERY', delivery);
    return found.index === 'gsi1' ? { gsi1pk: found.partition, gsi1sk: sk } : { gsi2pk: found.partition, gsi2sk: sk };
  },
};

/**
 * The number of partitions that share the deliveries to one target, those in one state, and those of all subscribers
 * that wait; a list merges them. A partition accepts 1,000 write units a second. A number may have 1,000 messages a
 * second and three statuses for each. A delivery is written twice, with its payload: a status has 0.7 to 1.0 KB, which
 * is one unit, and a message 0.8 to 1.7 KB, one or two. That makes at most 10,000 units a second, or 13,000 while the
 * receiver fails and its responses are kept. An index takes one unit for each entry that is added or removed.
 */
const shards = 16;

/** The partitions of a list, each built from its number. */
export const eachShard = <T>(partition: (shard: number) => T): T[] =>
  Array.from({ length: shards }, (_, shard) => partition(shard));

/**
 * The states in which an index finds a delivery, because few deliveries are in them, and a list of these must not read
 * all others. To index `sending` and `delivered` would cost write units for each notification.
 */
const indexedStates = ['waiting', 'held', 'exhausted', 'discarded'] as const satisfies DeliveryState[];

export type IndexedState = (typeof indexedStates)[number];

export const isIndexed = (state: DeliveryState): state is IndexedState => indexedStates.some((each) => each === state);

export const deliveryPartition = (subscriber: string, target: Target, shard: number) =>
  `${join('DELIVERIES', subscriber)}#${target}#${shard}` as const;

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
function shardOf(delivery: string): number {
  return Number.parseInt(delivery.slice(-4), 16) % shards;
}
