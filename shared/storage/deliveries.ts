import { PutCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { type AttemptRecord, type Delivery, type DeliveryState, keptForMs } from '../deliveries/delivery.ts';
import type { FirstAttempt, Replay, Retry } from '../deliveries/message.ts';
import type { Target } from '../numbers/number.ts';
import { assign } from './assign.ts';
import { unlessUnmet } from './condition.ts';
import { fromItem, getRecord } from './item.ts';
import { deliveryPartition, deliveryShards, dueBefore, duePartition, dueShards, indexKeys, keys } from './keys.ts';
import { queryIndex, queryItems } from './query.ts';
import type { Table } from './table.ts';

/** A delivery that this run may attempt, until its lease runs out. */
export type ClaimedDelivery = Delivery & { lease: Lease };

/**
 * What came of a claim: the delivery is ours; or it is not for this message to send, being ended or moved on; or
 * somebody is sending it right now.
 */
export type Claim = { claimed: ClaimedDelivery } | { claimed?: undefined; why: 'repeat' | 'under-way' };

/** Who claims, and until when. */
export interface Lease {
  holder: string;
  /** Epoch milliseconds. */
  expires_at: number;
}

/** What an attempt means for the delivery. */
export interface Result {
  state: DeliveryState;
  attempt: AttemptRecord;
  attempt_count: number;
  next_attempt_at?: number | undefined;
  /** Found by the sweeper at `next_attempt_at`: set where no message waits in the queue. */
  sweep?: boolean;
}

/** Which deliveries a list shows. */
export interface DeliveryFilter {
  state?: DeliveryState | undefined;
  target?: Target | undefined;
}

export type DeliveryStore = ReturnType<typeof deliveryStore>;

/** Most attempts that are kept of one delivery, the latest. */
const keptAttempts = 20;

/**
 * Deliveries: one item each, written once when it is claimed and once when its attempt ended. A claim is a conditional
 * write, which is where repeats of a message fall away.
 */
export function deliveryStore(table: Table) {
  const { client, name: TableName } = table;
  const key = ({ number, id }: { number: string; id: string }) => keys.delivery(number, id);

  /** Writes unless the condition says that it is for somebody else. */
  async function claimBy(
    message: { number: string; id: string },
    lease: Lease,
    now: number,
    update: Pick<UpdateCommandInput, 'ConditionExpression' | 'ExpressionAttributeValues'> & { set?: string },
  ): Promise<Claim> {
    const command = new UpdateCommand({
      TableName,
      Key: key(message),
      UpdateExpression: `SET #state = :sending, lease = :lease${update.set ?? ''} REMOVE gsi1pk, gsi1sk, next_attempt_at`,
      ConditionExpression: update.ConditionExpression,
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':sending': 'sending', ':lease': lease, ...update.ExpressionAttributeValues },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return unlessUnmet<Claim>(
      client.send(command).then(({ Attributes }) => ({ claimed: required(fromItem<ClaimedDelivery>(Attributes)) })),
      ({ item }) => ({ why: isUnderWay(fromItem<Delivery>(item), now) ? 'under-way' : 'repeat' }),
    );
  }

  /** An attempt that was begun and whose holder is gone is taken over by the message that began it. */
  const takeOver = (message: { number: string; id: string }, attemptCount: number, lease: Lease, now: number) =>
    claimBy(message, lease, now, {
      ConditionExpression: '#state = :sending AND lease.expires_at <= :now AND attempt_count = :count',
      ExpressionAttributeValues: { ':now': now, ':count': attemptCount },
    });

  return {
    /** The first attempt: the delivery is made by it. */
    async claimFirst(message: FirstAttempt, lease: Lease, now: number): Promise<Claim> {
      const delivery: ClaimedDelivery = { ...newDelivery(message), state: 'sending', lease };
      const create = new PutCommand({
        TableName,
        Item: { ...key(message), ...delivery, ...expiry(message) },
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      return unlessUnmet<Claim>(
        client.send(create).then(() => ({ claimed: delivery })),
        ({ item }) => {
          const known = fromItem<Delivery>(item);
          if (known?.state !== 'sending' || known.attempt_count > 0) return { why: 'repeat' };
          return isUnderWay(known, now) ? { why: 'under-way' } : takeOver(message, 0, lease, now);
        },
      );
    },

    /** The next attempt of the schedule, or of a target that answers again. */
    async claimRetry(message: Retry, lease: Lease, now: number): Promise<Claim> {
      const claim = await claimBy(message, lease, now, {
        ConditionExpression: '#state IN (:waiting, :held) AND attempt_count = :count',
        ExpressionAttributeValues: { ':waiting': 'waiting', ':held': 'held', ':count': message.attempt_count },
      });
      return claim.claimed ? claim : takeOver(message, message.attempt_count, lease, now);
    },

    /** One attempt more, in whatever state, once for each wish. */
    claimReplay: (message: Replay, lease: Lease, now: number): Promise<Claim> =>
      claimBy(message, lease, now, {
        set: ', previous_state = #state, replays = list_append(if_not_exists(replays, :none), :replay)',
        ConditionExpression:
          'attribute_exists(pk) AND (#state <> :sending OR lease.expires_at <= :now) AND NOT contains(replays, :replayId)',
        ExpressionAttributeValues: {
          ':none': [],
          ':replay': [message.replay],
          ':replayId': message.replay,
          ':now': now,
        },
      }),

    /** Keeps a delivery without an attempt, until its target answers again. `false` when it has moved on. */
    async hold(message: FirstAttempt | Retry): Promise<boolean> {
      const index = indexKeys.held(message.number, message.target, message.id);
      if (message.do === 'deliver') {
        const create = new PutCommand({
          TableName,
          Item: { ...key(message), ...index, ...newDelivery(message), state: 'held', ...expiry(message) },
          ConditionExpression: 'attribute_not_exists(pk)',
        });
        return unlessUnmet(
          client.send(create).then(() => true),
          () => false,
        );
      }
      const update = assign({ state: 'held', ...index }, ['next_attempt_at', 'lease']);
      const hold = new UpdateCommand({
        TableName,
        Key: key(message),
        ...update,
        ConditionExpression: '#state = :waiting AND attempt_count = :count',
        ExpressionAttributeValues: {
          ...update.ExpressionAttributeValues,
          ':waiting': 'waiting',
          ':count': message.attempt_count,
        },
      });
      return unlessUnmet(
        client.send(hold).then(() => true),
        () => false,
      );
    },

    /** Ends a delivery whose target has no URL any more. */
    async discard(message: { number: string; id: string }): Promise<void> {
      const update = assign({ state: 'discarded' }, ['gsi1pk', 'gsi1sk', 'next_attempt_at', 'lease']);
      const discard = new UpdateCommand({
        TableName,
        Key: key(message),
        ...update,
        ConditionExpression: 'attribute_exists(pk) AND #state IN (:waiting, :held)',
        ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':waiting': 'waiting', ':held': 'held' },
      });
      await unlessUnmet<unknown>(client.send(discard), () => undefined);
    },

    /** Writes what came of the attempt, if the delivery is still ours. `false` when another took it over. */
    async record(claimed: ClaimedDelivery, result: Result): Promise<boolean> {
      const { state, attempt, attempt_count, next_attempt_at, sweep } = result;
      const index =
        state === 'held'
          ? indexKeys.held(claimed.number, claimed.target, claimed.id)
          : sweep && next_attempt_at !== undefined
            ? indexKeys.due(claimed.id, next_attempt_at)
            : {};
      const update = assign(
        {
          state,
          attempt_count,
          attempts: [...claimed.attempts, attempt].slice(-keptAttempts),
          next_attempt_at,
          ...index,
        },
        ['lease', 'previous_state'],
      );
      const record = new UpdateCommand({
        TableName,
        Key: key(claimed),
        ...update,
        ConditionExpression: '#lease.holder = :holder',
        ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':holder': claimed.lease.holder },
      });
      return unlessUnmet(
        client.send(record).then(() => true),
        () => false,
      );
    },

    get: (number: string, id: string) => getRecord<Delivery>(table, keys.delivery(number, id)),

    /** Keeps a delivery that was attempted outside of the queue. */
    async insert(delivery: Delivery): Promise<void> {
      const Item = { ...key(delivery), ...delivery, ...expiry(delivery) };
      await client.send(new PutCommand({ TableName, Item }));
    },

    /**
     * Deliveries of a number with ids in a range (bounds left out), newest first or oldest first. The partitions that
     * hold them are read side by side and merged.
     */
    async *list(
      number: string,
      {
        above,
        below,
        oldestFirst = false,
      }: { above?: string | undefined; below?: string | undefined; oldestFirst?: boolean },
      filter: DeliveryFilter = {},
    ): AsyncGenerator<Delivery> {
      const filters = Object.entries(filter).filter(([, value]) => value !== undefined);
      const partitions = Array.from({ length: deliveryShards }, (_, shard) =>
        queryItems(table, {
          ConsistentRead: true,
          ScanIndexForward: oldestFirst,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :above AND :below',
          ...(filters.length > 0 && {
            FilterExpression: filters.map(([name]) => `#${name} = :${name}`).join(' AND '),
            ExpressionAttributeNames: Object.fromEntries(filters.map(([name]) => [`#${name}`, name])),
          }),
          ExpressionAttributeValues: {
            ':pk': deliveryPartition(number, shard),
            ':above': keys.delivery(number, above ?? '00000000-0000-0000-0000-000000000000').sk,
            ':below': keys.delivery(number, below ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff').sk,
            ...Object.fromEntries(filters.map(([name, value]) => [`:${name}`, value])),
          },
        }),
      );
      for await (const item of merge(partitions, oldestFirst)) {
        const delivery = required(fromItem<Delivery>(item));
        if (delivery.id !== above && delivery.id !== below) yield delivery;
      }
    },

    /** Deliveries without a message in the queue whose next attempt comes before this time, soonest first per shard. */
    async *listDue(before: number): AsyncGenerator<Delivery> {
      for (let shard = 0; shard < dueShards; shard++) {
        const due = queryItems(table, {
          IndexName: 'gsi1',
          KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk < :before',
          ExpressionAttributeValues: { ':pk': duePartition(shard), ':before': dueBefore(before) },
        });
        for await (const { pk, sk } of due) {
          const delivery = await getRecord<Delivery>(table, { pk: String(pk), sk: String(sk) });
          if (delivery?.state === 'waiting') yield delivery;
        }
      }
    },

    /** Held deliveries of a target, oldest first, those after the delivery with this id. */
    async *listHeld(number: string, target: Target, after?: string): AsyncGenerator<Delivery> {
      const { gsi1pk } = indexKeys.held(number, target, number);
      for await (const { pk, sk } of queryIndex(table, 'gsi1', gsi1pk)) {
        if (after !== undefined && String(sk) <= keys.delivery(number, after).sk) continue;
        const delivery = await getRecord<Delivery>(table, { pk: String(pk), sk: String(sk) });
        if (delivery?.state === 'held') yield delivery;
      }
    },
  };
}

function newDelivery({ id, number, target, kind, payload, created_at }: FirstAttempt): Delivery {
  return {
    id,
    number,
    target,
    kind,
    payload,
    state: 'waiting',
    attempt_count: 0,
    attempts: [],
    replays: [],
    created_at,
  };
}

function expiry({ created_at }: { created_at: number }) {
  return { expires_at_seconds: Math.ceil((created_at + keptForMs) / 1000) };
}

function isUnderWay(delivery: Delivery | undefined, now: number): boolean {
  return delivery?.state === 'sending' && (delivery.lease?.expires_at ?? 0) > now;
}

function required<T>(record: T | undefined): T {
  if (record === undefined) throw new Error('DynamoDB returned no item');
  return record;
}

/** Merges sorted streams by sort key, reading each no further than needed. */
async function* merge(
  streams: AsyncGenerator<Record<string, unknown>>[],
  ascending: boolean,
): AsyncGenerator<Record<string, unknown>> {
  const sign = ascending ? 1 : -1;
  const heads = await Promise.all(streams.map(async (stream) => ({ stream, next: await stream.next() })));
  for (;;) {
    const open = heads.filter(({ next }) => !next.done);
    const [first, ...others] = open;
    if (!first) return;
    const best = others.reduce((a, b) => (sign * compare(a.next.value?.sk, b.next.value?.sk) <= 0 ? a : b), first);
    yield best.next.value as Record<string, unknown>;
    best.next = await best.stream.next();
  }
}

function compare(a: unknown, b: unknown): number {
  return String(a) < String(b) ? -1 : 1;
}
