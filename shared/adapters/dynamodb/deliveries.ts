import { PutCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Target } from '#shared/domain/accounts/number.ts';
import { type Delivery, keptForMs } from '#shared/domain/deliveries/delivery.ts';
import type {
  Claim,
  ClaimedDelivery,
  DeliveryQuery,
  DeliveryStore,
  DueDelivery,
  Lease,
  Result,
  UnclaimedReason,
} from '#shared/domain/deliveries/delivery-store.ts';
import type { FirstAttempt, Replay, Retry } from '#shared/domain/deliveries/message.ts';
import { assign } from './assign.ts';
import { mostKeys } from './batch-get.ts';
import { type Unmet, unlessUnmet } from './condition.ts';
import { searchDeliveries } from './delivery-list.ts';
import { fromItem, getRecord, readRecords } from './item.ts';
import { dueBefore, duePartition, dueShards, heldPartition, heldShards, indexKeys, keys } from './keys.ts';
import { firstPage, mergePages, queryPages } from './merge-pages.ts';
import type { Table } from './table.ts';

/** How long before its time an attempt may be made: clocks differ, and SQS delays by whole seconds. */
const earlyByMs = 5_000;

/** Most attempts that are kept of one delivery, the latest. */
const keptAttempts = 20;

/** Most replays that are remembered of one delivery, the latest: an item holds 400 KB. */
const keptReplays = 100;

/**
 * Deliveries: one item each, written once when it is claimed and once when its attempt ended. A claim is a conditional
 * write, which is where repeats of a message fall away.
 */
export function deliveryStore(table: Table): DeliveryStore {
  const { client, name: TableName } = table;
  const key = ({ number, id }: { number: string; id: string }) => keys.delivery(number, id);

  /** Writes unless the condition says that it is for somebody else. */
  async function claimBy(
    message: { number: string; id: string },
    lease: Lease,
    now: number,
    update: Pick<UpdateCommandInput, 'ConditionExpression' | 'ExpressionAttributeValues'> & { set?: string },
    unclaimed = (item: Unmet['item']): Claim => ({ why: whyNot(item, now) }),
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
      ({ item }) => ownClaim(item, lease) ?? unclaimed(item),
    );
  }

  /** An attempt that was begun and whose holder is gone is taken over by the message that began it. */
  const takeOver = (message: { number: string; id: string }, attemptCount: number, lease: Lease, now: number) =>
    claimBy(message, lease, now, {
      ConditionExpression: '#state = :sending AND lease.expires_at <= :now AND attempt_count = :count',
      ExpressionAttributeValues: { ':now': now, ':count': attemptCount },
    });

  /** Holds a delivery that waits, or whose attempt was begun by somebody who is gone. */
  async function holdKnown(
    message: FirstAttempt | Retry,
    attemptCount: number,
    now: number,
  ): Promise<'held' | UnclaimedReason> {
    const index = indexKeys.held(message.number, message.target, message.id);
    const update = assign({ state: 'held', ...index }, ['next_attempt_at', 'lease', 'previous_state']);
    const hold = new UpdateCommand({
      TableName,
      Key: key(message),
      ...update,
      ConditionExpression:
        'attempt_count = :count AND (#state = :waiting OR (#state = :sending AND #lease.expires_at <= :now))',
      ExpressionAttributeValues: {
        ...update.ExpressionAttributeValues,
        ':count': attemptCount,
        ':waiting': 'waiting',
        ':sending': 'sending',
        ':now': now,
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return unlessUnmet<'held' | UnclaimedReason>(
      client.send(hold).then(() => 'held'),
      ({ item }) => whyNot(item, now),
    );
  }

  /** Ends a delivery that is not sent any more: its target lost its URL, or its number was switched off. */
  async function discard(message: { number: string; id: string }, now: number): Promise<'discarded' | UnclaimedReason> {
    const update = assign({ state: 'discarded' }, ['gsi1pk', 'gsi1sk', 'next_attempt_at', 'lease', 'previous_state']);
    const end = new UpdateCommand({
      TableName,
      Key: key(message),
      ...update,
      ConditionExpression: '#state IN (:waiting, :held) OR (#state = :sending AND #lease.expires_at <= :now)',
      ExpressionAttributeValues: {
        ...update.ExpressionAttributeValues,
        ':waiting': 'waiting',
        ':held': 'held',
        ':sending': 'sending',
        ':now': now,
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return unlessUnmet<'discarded' | UnclaimedReason>(
      client.send(end).then(() => 'discarded'),
      ({ item }) => whyNot(item, now),
    );
  }

  return {
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
          const own = ownClaim(item, lease);
          if (own) return own;
          const known = fromItem<Delivery>(item);
          if (known?.state !== 'sending' || known.attempt_count > 0) return { why: 'repeat' };
          return isUnderWay(known, now) ? { why: 'under-way' } : takeOver(message, 0, lease, now);
        },
      );
    },

    claimRetry: (message: Retry, lease: Lease, now: number): Promise<Claim> =>
      claimBy(
        message,
        lease,
        now,
        {
          ConditionExpression: `attempt_count = :count AND (
            (#state = :waiting AND (attribute_not_exists(next_attempt_at) OR next_attempt_at <= :soon))
            OR #state = :held
            OR (#state = :sending AND lease.expires_at <= :now)
          )`,
          ExpressionAttributeValues: {
            ':waiting': 'waiting',
            ':held': 'held',
            ':count': message.attempt_count,
            ':now': now,
            ':soon': now + earlyByMs,
          },
        },
        (item) => {
          const known = fromItem<Delivery>(item);
          const isEarly = known?.state === 'waiting' && known.attempt_count === message.attempt_count;
          return isEarly ? { why: 'early', due: known.next_attempt_at ?? now } : { why: whyNot(item, now) };
        },
      ),

    async claimReplay(message: Replay, lease: Lease, now: number): Promise<Claim> {
      const leased = { ...lease, replay: message.replay };
      const claim = await claimBy(message, leased, now, {
        set: ', previous_state = if_not_exists(previous_state, #state), replays = list_append(replays, :replays)',
        ConditionExpression:
          'attribute_exists(pk) AND (#state <> :sending OR lease.expires_at <= :now) AND NOT contains(replays, :replay)',
        ExpressionAttributeValues: { ':replays': [message.replay], ':replay': message.replay, ':now': now },
      });
      if (claim.claimed || claim.why === 'under-way') return claim;
      return claimBy(message, leased, now, {
        ConditionExpression: '#state = :sending AND lease.expires_at <= :now AND lease.replay = :replay',
        ExpressionAttributeValues: { ':replay': message.replay, ':now': now },
      });
    },

    async hold(message: FirstAttempt | Retry, now: number): Promise<'held' | UnclaimedReason> {
      if (message.do === 'retry') return holdKnown(message, message.attempt_count, now);
      const index = indexKeys.held(message.number, message.target, message.id);
      const create = new PutCommand({
        TableName,
        Item: { ...key(message), ...index, ...newDelivery(message), state: 'held', ...expiry(message) },
        ConditionExpression: 'attribute_not_exists(pk)',
      });
      return unlessUnmet<'held' | UnclaimedReason>(
        client.send(create).then(() => 'held'),
        () => holdKnown(message, 0, now),
      );
    },

    discardFirst(message: FirstAttempt, now: number): Promise<'discarded' | UnclaimedReason> {
      const create = new PutCommand({
        TableName,
        Item: { ...key(message), ...newDelivery(message), state: 'discarded', ...expiry(message) },
        ConditionExpression: 'attribute_not_exists(pk)',
      });
      return unlessUnmet<'discarded' | UnclaimedReason>(
        client.send(create).then(() => 'discarded'),
        () => discard(message, now),
      );
    },

    discard,

    async record(claimed: ClaimedDelivery, result: Result): Promise<boolean> {
      const { state, attempt, attempt_count, next_attempt_at, look_after_at } = result;
      const index =
        state === 'held'
          ? indexKeys.held(claimed.number, claimed.target, claimed.id)
          : look_after_at !== undefined
            ? indexKeys.due(claimed.id, look_after_at)
            : {};
      const update = assign(
        {
          state,
          attempt_count,
          attempts: [...claimed.attempts, attempt].slice(-keptAttempts),
          ...(claimed.replays.length > keptReplays && { replays: claimed.replays.slice(-keptReplays) }),
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

    async insert(delivery: Delivery): Promise<void> {
      const Item = { ...key(delivery), ...delivery, ...expiry(delivery) };
      await client.send(new PutCommand({ TableName, Item }));
    },

    search: (query: DeliveryQuery) => searchDeliveries(table, query),

    async *listDue(before: number): AsyncGenerator<DueDelivery> {
      const shards = Array.from({ length: dueShards }, (_, shard) =>
        queryPages(
          table,
          {
            IndexName: 'gsi1',
            KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk < :before',
            ExpressionAttributeValues: { ':pk': duePartition(shard), ':before': dueBefore(before) },
          },
          mostKeys,
          (items) => [...items],
        ),
      );
      const toRecord = (item: Record<string, unknown> | undefined) => {
        const delivery = fromItem<Delivery>(item);
        return delivery && { ...delivery, due_key: String(item?.gsi1sk) };
      };
      for await (const due of readRecords<DueDelivery>(table, mergePages(shards, byIndexKey('oldest-first')), {
        toRecord,
      })) {
        // The index may lag behind: what another sweep has put off is not due.
        if (due.state === 'waiting' && due.due_key < dueBefore(before)) yield due;
      }
    },

    putOff(due: DueDelivery, until: number): Promise<boolean> {
      const { gsi1sk } = indexKeys.due(due.id, until);
      const update = assign({ gsi1sk });
      const putOff = new UpdateCommand({
        TableName,
        Key: key(due),
        ...update,
        ConditionExpression: '#gsi1sk = :seen',
        ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':seen': due.due_key },
      });
      return unlessUnmet(
        client.send(putOff).then(() => true),
        () => false,
      );
    },

    async release({ number, id, attempt_count }: Delivery, now: number, lookAfterAt: number): Promise<void> {
      const update = assign({ state: 'waiting', next_attempt_at: now, ...indexKeys.due(id, lookAfterAt) });
      const release = new UpdateCommand({
        TableName,
        Key: key({ number, id }),
        ...update,
        ConditionExpression: '#state = :held AND attempt_count = :count',
        ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':held': 'held', ':count': attempt_count },
      });
      await unlessUnmet<unknown>(client.send(release), () => undefined);
    },

    async *listHeld(
      number: string,
      target: Target,
      {
        after,
        order = 'oldest-first',
        wanted = mostKeys,
      }: { after?: string | undefined; order?: DeliveryQuery['order']; wanted?: number } = {},
    ): AsyncGenerator<Delivery> {
      const behind = order === 'oldest-first' ? '>' : '<';
      const shards = Array.from({ length: heldShards }, (_, shard) =>
        queryPages(
          table,
          {
            IndexName: 'gsi1',
            ScanIndexForward: order === 'oldest-first',
            KeyConditionExpression: `gsi1pk = :pk${after === undefined ? '' : ` AND gsi1sk ${behind} :after`}`,
            ExpressionAttributeValues: {
              ':pk': heldPartition(number, target, shard),
              ...(after !== undefined && { ':after': indexKeys.held(number, target, after).gsi1sk }),
            },
          },
          firstPage(wanted, heldShards),
          (items) => [...items],
        ),
      );
      const held = mergePages(shards, byIndexKey(order));
      for await (const delivery of readRecords<Delivery>(table, held, { atOnce: wanted })) {
        if (delivery.state === 'held') yield delivery;
      }
    },
  };
}

const byIndexKey = (order: DeliveryQuery['order']) => (one: Record<string, unknown>, other: Record<string, unknown>) =>
  String(one.gsi1sk) < String(other.gsi1sk) === (order === 'oldest-first');

function newDelivery({ id, number, target, kind, payload, settings_version, created_at }: FirstAttempt): Delivery {
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
    ...(settings_version !== undefined && { settings_version }),
    created_at,
  };
}

function expiry({ created_at }: { created_at: number }) {
  return { expires_at_seconds: Math.ceil((created_at + keptForMs) / 1000) };
}

function isUnderWay(delivery: Delivery | undefined, now: number): boolean {
  return delivery?.state === 'sending' && (delivery.lease?.expires_at ?? 0) > now;
}

/** The claim that succeeded already, where the SDK repeats a write whose response was lost. */
function ownClaim(item: Record<string, unknown> | undefined, { holder }: Lease): Claim | undefined {
  const known = fromItem<ClaimedDelivery>(item);
  return known?.state === 'sending' && known.lease.holder === holder ? { claimed: known } : undefined;
}

function whyNot(item: Record<string, unknown> | undefined, now: number): UnclaimedReason {
  return isUnderWay(fromItem<Delivery>(item), now) ? 'under-way' : 'repeat';
}

function required<T>(record: T | undefined): T {
  if (record === undefined) throw new Error('DynamoDB returned no item');
  return record;
}
