import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { eachShard, keys } from '#shared/aws/keys.ts';
import { newId } from '#shared/base/ids.ts';
import { type Target, builtInTargets as targets } from '#shared/webhooks/subscriber.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { loadItems } from '#support/aws/table-cost.ts';
import { forAllTests } from '#support/for-tests.ts';
import { type AttemptRecord, type ClaimedDelivery, type Delivery, type DeliveryState, deliveryId } from './delivery.ts';
import type { DeliveryQuery } from './delivery-list-store.ts';
import { type DeliveryStore, deliveryItem, deliveryStore } from './delivery-store.ts';
import type { FirstAttempt, Replay, Retry } from './notification.ts';

const now = Date.UTC(2026, 0, 31);
const day = 86_400_000;
const lease = { holder: 'me', until: now + 15_000 };
const others = { holder: 'other', until: now + 15_000 };
const afterLease = lease.until;
const failed: AttemptRecord = { at: now, duration_ms: 12, status: 500 };

let deliveries: DeliveryStore;

const dynamodb = forAllTests(() => startTestTable());
beforeAll(() => {
  deliveries = deliveryStore(dynamodb.table);
});

function firstAttempt(members: Partial<FirstAttempt> = {}): FirstAttempt {
  const { subscriber = newId(), target = 'webhook' } = members;
  return {
    task: 'deliver',
    subscriber,
    target,
    id: deliveryId({ subscriber, target, key: newId(), timestampMs: now }),
    kind: 'message',
    payload: { text: '{"messages":[]}' },
    created_at: now,
    target_version: 0,
    ...members,
  };
}

const retryOf = ({ subscriber, target, id }: Delivery | FirstAttempt, attempt_count: number): Retry => ({
  task: 'retry',
  subscriber,
  target,
  id,
  attempt_count,
});

const replayOf = ({ subscriber, target, id }: Delivery | FirstAttempt, replay = newId()): Replay => ({
  task: 'replay',
  subscriber,
  target,
  id,
  replay,
});

const stored = ({ subscriber, id }: Pick<Delivery, 'subscriber' | 'id'>) => deliveries.get(subscriber, id, targets);

async function claimed(message = firstAttempt()): Promise<ClaimedDelivery> {
  const claim = await deliveries.claimFirst(message, lease, now);
  if (!claim.claimed) throw new Error(`Not claimed: ${claim.why}`);
  return claim.claimed;
}

/** A delivery whose first attempt failed. */
async function inState(state: DeliveryState, members: Partial<FirstAttempt> = {}): Promise<Delivery> {
  const delivery = await claimed(firstAttempt(members));
  await deliveries.record(delivery, { state, attempt: failed, attempt_count: 1 });
  return (await stored(delivery)) ?? delivery;
}

async function collect<T>(generator: AsyncGenerator<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of generator) all.push(item);
  return all;
}

describe('the first claim', () => {
  it('creates the delivery with its lease', async () => {
    const message = firstAttempt({ target_version: 3 });
    const { subscriber, target, id, kind, payload, created_at } = message;
    const expected = {
      ...{ id, subscriber, target, kind, payload, created_at, lease, target_version: 3 },
      ...{ state: 'sending', attempt_count: 0, attempts: [], replays: [] },
    };
    expect(await deliveries.claimFirst(message, lease, now)).toEqual({ claimed: expected });
    expect(await stored(message)).toEqual(expected);
  });

  it('lets DynamoDB delete the delivery after 30 days', async () => {
    const { subscriber, target, id } = await claimed();
    const { Item } = await dynamodb.table.client.send(
      new GetCommand({ TableName: dynamodb.table.name, Key: keys.delivery(subscriber, target, id) }),
    );
    expect(Item?.expires_at_seconds).toBe((now + 30 * day) / 1000);
  });

  it('is won by one of many concurrent claims; the others see that the delivery is in progress', async () => {
    const message = firstAttempt();
    const claims = await Promise.all(
      Array.from({ length: 10 }, (_, index) => deliveries.claimFirst(message, { ...lease, holder: `${index}` }, now)),
    );
    expect(claims.filter((claim) => claim.claimed)).toHaveLength(1);
    expect(claims.filter((claim) => !claim.claimed && claim.why === 'in-progress')).toHaveLength(9);
  });

  it('has succeeded when the client repeats a write whose first response was lost', async () => {
    const message = firstAttempt();
    const claim = await deliveries.claimFirst(message, lease, now);
    expect(claim.claimed).toBeDefined();
    expect(await deliveries.claimFirst(message, lease, now)).toEqual(claim);
    const waiting = await inState('waiting');
    const retry = await deliveries.claimRetry(retryOf(waiting, 1), { ...lease, holder: 'again' }, now);
    expect(retry.claimed).toBeDefined();
    expect(await deliveries.claimRetry(retryOf(waiting, 1), { ...lease, holder: 'again' }, now)).toEqual(retry);
  });

  it('is taken over by one process when its lease has expired, and by none before', async () => {
    const message = firstAttempt();
    await claimed(message);
    expect(await deliveries.claimFirst(message, others, afterLease - 1)).toEqual({ why: 'in-progress' });
    const later = { holder: 'other', until: afterLease + 15_000 };
    const holders = Array.from({ length: 10 }, (_, index) => `${index}`);
    const claims = await Promise.all(
      holders.map((holder) => deliveries.claimFirst(message, { ...later, holder }, afterLease)),
    );
    expect(claims.filter((claim) => claim.claimed)).toHaveLength(1);
    expect(claims.filter((claim) => !claim.claimed)).toEqual(Array(9).fill({ why: 'in-progress' }));
  });

  it.each<DeliveryState>(['delivered', 'waiting', 'held', 'exhausted', 'discarded'])(
    'recognises a repeated message if the delivery is %s',
    async (state) => {
      const message = firstAttempt();
      const delivery = await claimed(message);
      await deliveries.record(delivery, { state, attempt: failed, attempt_count: 1 });
      expect(await deliveries.claimFirst(message, others, afterLease)).toEqual({ why: 'repeat' });
    },
  );

  it('does not take over a later attempt', async () => {
    const message = firstAttempt();
    const delivery = await claimed(message);
    await deliveries.record(delivery, { state: 'waiting', attempt: failed, attempt_count: 1 });
    await deliveries.claimRetry(retryOf(message, 1), lease, now);
    expect(await deliveries.claimFirst(message, others, afterLease)).toEqual({ why: 'repeat' });
  });
});

describe('a retry', () => {
  it.each<['claimRetry' | 'claimProbe', DeliveryState]>([
    ['claimRetry', 'waiting'],
    ['claimProbe', 'waiting'],
    ['claimProbe', 'held'],
  ])('claims, by %s, a delivery that is %s', async (claim, state) => {
    const delivery = await inState(state);
    const { claimed } = await deliveries[claim](retryOf(delivery, 1), others, now);
    expect(claimed).toEqual({ ...delivery, state: 'sending', lease: others });
  });

  it('is not made before the wait is over, apart from a few seconds of clock difference', async () => {
    const delivery = await claimed();
    const due = now + 900_000;
    const waiting = { state: 'waiting' as const, attempt: failed, attempt_count: 1, next_attempt_at: due };
    await deliveries.record(delivery, waiting);
    for (const early of [now, due - 60_000, due - 5_001]) {
      expect(await deliveries.claimRetry(retryOf(delivery, 1), others, early)).toEqual({ why: 'early', due });
    }
    expect(await deliveries.claimRetry(retryOf(delivery, 0), others, now)).toEqual({ why: 'repeat' });
    expect(await stored(delivery)).toMatchObject({ state: 'waiting', next_attempt_at: due });
    expect((await deliveries.claimRetry(retryOf(delivery, 1), others, due - 5_000)).claimed).toBeDefined();
  });

  it('is made once, however many messages ask for it', async () => {
    const delivery = await inState('waiting');
    const claims = await Promise.all(
      ['1', '2', '3'].map((holder) => deliveries.claimRetry(retryOf(delivery, 1), { ...lease, holder }, now)),
    );
    expect(claims.filter((claim) => claim.claimed)).toHaveLength(1);
  });

  it.each<[DeliveryState, number]>([
    ['waiting', 0],
    ['waiting', 2],
    ['held', 1],
    ['delivered', 1],
    ['exhausted', 1],
    ['discarded', 1],
  ])('is a repeat if the delivery is %s and the message is for attempt %i', async (state, attemptCount) => {
    const delivery = await inState(state);
    expect(await deliveries.claimRetry(retryOf(delivery, attemptCount), lease, now)).toEqual({ why: 'repeat' });
    expect(await stored(delivery)).toEqual(delivery);
  });

  it('is taken over when its lease has expired', async () => {
    const delivery = await inState('waiting');
    await deliveries.claimRetry(retryOf(delivery, 1), others, now);
    expect(await deliveries.claimRetry(retryOf(delivery, 1), lease, now)).toEqual({ why: 'in-progress' });
    const { claimed } = await deliveries.claimRetry(retryOf(delivery, 1), lease, afterLease);
    expect(claimed).toMatchObject({ lease, attempt_count: 1 });
  });

  it('does not create a delivery that does not exist', async () => {
    const message = firstAttempt();
    expect(await deliveries.claimRetry(retryOf(message, 0), lease, now)).toEqual({ why: 'repeat' });
    expect(await stored(message)).toBeUndefined();
  });
});

describe('a replay', () => {
  it.each<DeliveryState>(['waiting', 'held', 'delivered', 'exhausted', 'discarded'])(
    'claims a delivery that is %s, once',
    async (state) => {
      const delivery = await inState(state);
      const message = replayOf(delivery);
      const { claimed } = await deliveries.claimReplay(message, lease, now);
      expect(claimed).toEqual({
        ...delivery,
        state: 'sending',
        previous_state: state,
        replays: [message.replay],
        lease: { ...lease, replay: message.replay },
      });
      if (claimed) await deliveries.record(claimed, { state: 'exhausted', attempt: failed, attempt_count: 1 });
      expect(await deliveries.claimReplay(message, lease, now)).toEqual({ why: 'repeat' });
    },
  );

  it('is made for each of two replay requests, one after the other', async () => {
    const delivery = await inState('exhausted');
    const [first, second] = [replayOf(delivery), replayOf(delivery)];
    const { claimed } = await deliveries.claimReplay(first, lease, now);
    expect(await deliveries.claimReplay(second, others, now)).toEqual({ why: 'in-progress' });
    if (claimed) await deliveries.record(claimed, { state: 'exhausted', attempt: failed, attempt_count: 1 });
    expect((await deliveries.claimReplay(second, others, now)).claimed?.replays).toEqual([first.replay, second.replay]);
  });

  it('is remembered as one of the latest hundred replays', async () => {
    const replayIds = Array.from({ length: 103 }, () => newId());
    const earlier = 98;
    let delivery = { ...(await inState('exhausted')), replays: replayIds.slice(0, earlier) };
    await deliveries.insert(delivery);
    for (const replayId of replayIds.slice(earlier)) {
      const { claimed } = await deliveries.claimReplay(replayOf(delivery, replayId), lease, now);
      if (!claimed) throw new Error('It was not claimed');
      await deliveries.record(claimed, { state: 'exhausted', attempt: failed, attempt_count: 1 });
      delivery = claimed;
    }
    expect((await stored(delivery))?.replays).toEqual(replayIds.slice(-100));
    expect(await deliveries.claimReplay(replayOf(delivery, replayIds[3]), lease, now)).toEqual({ why: 'repeat' });
  });

  it('takes the place of the retry that was due', async () => {
    const delivery = await inState('waiting');
    const { claimed } = await deliveries.claimReplay(replayOf(delivery), lease, now);
    if (claimed) await deliveries.record(claimed, { state: 'waiting', attempt: failed, attempt_count: 2 });
    expect(await deliveries.claimRetry(retryOf(delivery, 1), lease, now)).toEqual({ why: 'repeat' });
  });

  it('that was interrupted is taken over by its own message, with the earlier state', async () => {
    const delivery = await inState('delivered');
    const message = replayOf(delivery);
    await deliveries.claimReplay(message, others, now);
    expect(await deliveries.claimReplay(message, lease, afterLease - 1)).toEqual({ why: 'in-progress' });
    const { claimed } = await deliveries.claimReplay(message, lease, afterLease);
    expect(claimed).toMatchObject({ previous_state: 'delivered', replays: [message.replay], lease: { holder: 'me' } });
  });

  it('that was interrupted gives way to the next replay request, with the earlier state', async () => {
    const delivery = await inState('delivered');
    await deliveries.claimReplay(replayOf(delivery), others, now);
    const { claimed } = await deliveries.claimReplay(replayOf(delivery), lease, afterLease);
    expect(claimed).toMatchObject({ previous_state: 'delivered', lease: { holder: 'me' } });
  });

  it('does not create a delivery that does not exist', async () => {
    const message = firstAttempt();
    expect(await deliveries.claimReplay(replayOf(message), lease, now)).toEqual({ why: 'repeat' });
    expect(await stored(message)).toBeUndefined();
  });
});

describe('the record of an attempt', () => {
  it('releases the lease of the delivery', async () => {
    const delivery = await claimed();
    const result = { state: 'delivered', attempt: { at: now, duration_ms: 3, status: 200 }, attempt_count: 1 } as const;
    expect(await deliveries.record(delivery, result)).toBe(true);
    const { lease: _, ...unleased } = delivery;
    expect(await stored(delivery)).toEqual({
      ...unleased,
      state: 'delivered',
      attempt_count: 1,
      attempts: [result.attempt],
    });
  });

  it('leaves a delivery that was delivered in no index', async () => {
    const delivery = await inState('delivered');
    const Key = keys.delivery(delivery.subscriber, delivery.target, delivery.id);
    const { Item } = await dynamodb.table.client.send(new GetCommand({ TableName: dynamodb.table.name, Key }));
    expect(Item).toMatchObject({ state: 'delivered' });
    for (const name of ['gsi1pk', 'gsi1sk', 'gsi2pk', 'gsi2sk']) expect(Item).not.toHaveProperty(name);
  });

  it('is not written by a process whose lease another process has taken over', async () => {
    const message = firstAttempt();
    const delivery = await claimed(message);
    await deliveries.claimFirst(message, { holder: 'other', until: afterLease + 15_000 }, afterLease);
    expect(await deliveries.record(delivery, { state: 'waiting', attempt: failed, attempt_count: 1 })).toBe(false);
    expect(await stored(delivery)).toMatchObject({ state: 'sending', attempts: [], lease: { holder: 'other' } });
  });

  it('keeps the latest 20 attempts', async () => {
    const delivery = await claimed();
    const attempts = Array.from({ length: 20 }, (_, index) => ({ ...failed, at: now + index }));
    await deliveries.record(
      { ...delivery, attempts },
      { state: 'exhausted', attempt: { ...failed, at: now + 20 }, attempt_count: 1 },
    );
    const kept = (await stored(delivery))?.attempts ?? [];
    expect([kept.length, kept[0]?.at, kept.at(-1)?.at]).toEqual([20, now + 1, now + 20]);
  });
});

describe('holding', () => {
  const held = ({ subscriber, target }: Delivery | FirstAttempt) => collect(deliveries.listHeld(subscriber, target));

  it('keeps a notification that was never attempted', async () => {
    const message = firstAttempt();
    expect(await deliveries.hold(message, now)).toBe('held');
    expect(await held(message)).toEqual([await stored(message)]);
    expect(await stored(message)).toMatchObject({ state: 'held', attempt_count: 0, attempts: [] });
    expect(await deliveries.hold(message, now)).toBe('repeat');
  });

  it('keeps a waiting delivery, with the attempt that it waits for', async () => {
    const delivery = await inState('waiting');
    expect(await deliveries.hold(retryOf(delivery, 0), now)).toBe('repeat');
    expect(await deliveries.hold(retryOf(delivery, 1), now)).toBe('held');
    expect(await held(delivery)).toEqual([{ ...delivery, state: 'held' }]);
  });

  it.each<DeliveryState>(['delivered', 'exhausted', 'discarded'])(
    'does not change a delivery that is %s',
    async (state) => {
      const delivery = await inState(state);
      expect(await deliveries.hold(retryOf(delivery, 1), afterLease)).toBe('repeat');
      expect(await stored(delivery)).toEqual(delivery);
    },
  );

  it.each<[string, (message: FirstAttempt) => FirstAttempt | Retry]>([
    ['its first message', (message) => message],
    ['a retry', (message) => retryOf(message, 0)],
  ])('waits for an attempt in progress, and keeps a delivery whose attempt was interrupted: %s', async (_, toHold) => {
    const message = firstAttempt();
    await claimed(message);
    expect(await deliveries.hold(toHold(message), afterLease - 1)).toBe('in-progress');
    expect(await deliveries.hold(toHold(message), afterLease)).toBe('held');
    expect(await stored(message)).not.toHaveProperty('lease');
    expect(await held(message)).toHaveLength(1);
  });

  it('lists the held deliveries of a target, oldest or newest first, from a given position', async () => {
    const subscriber = newId();
    const hold = async (minute: number, target: Target = 'webhook') => {
      const id = deliveryId({ subscriber, target, key: newId(), timestampMs: now + minute * 60_000 });
      await deliveries.hold(firstAttempt({ subscriber, target, id }), now);
      return id;
    };
    const [third, first, second] = [await hold(3), await hold(1), await hold(2)];
    await hold(1, 'secondary_webhook');
    const ids = async (after?: string, order?: 'newest-first') =>
      (await collect(deliveries.listHeld(subscriber, 'webhook', { after, ...(order && { order }) }))).map(
        ({ id }) => id,
      );
    expect(await ids()).toEqual([first, second, third]);
    expect(await ids(first)).toEqual([second, third]);
    expect(await ids(third)).toEqual([]);
    expect(await ids(undefined, 'newest-first')).toEqual([third, second, first]);
    expect(await ids(second, 'newest-first')).toEqual([first]);
  });

  it('lists in either order even if it reads little at a time', async () => {
    const subscriber = newId();
    const ids = Array.from({ length: 120 }, (_, minute) =>
      deliveryId({ subscriber, target: 'webhook', key: newId(), timestampMs: now + minute * 60_000 }),
    );
    await Promise.all(ids.map((id) => deliveries.hold(firstAttempt({ subscriber, id }), now)));
    for (const order of ['oldest-first', 'newest-first'] as const) {
      const listed = await collect(deliveries.listHeld(subscriber, 'webhook', { order, wanted: 1 }));
      expect(listed.map(({ id }) => id)).toEqual(order === 'oldest-first' ? ids : ids.toReversed());
    }
  });

  it('ends with the probe, and begins again with the record of that attempt', async () => {
    const delivery = await inState('held');
    const { claimed } = await deliveries.claimProbe(retryOf(delivery, 1), lease, now);
    expect(await held(delivery)).toEqual([]);
    if (claimed) await deliveries.record(claimed, { state: 'held', attempt: failed, attempt_count: 1 });
    expect(await held(delivery)).toHaveLength(1);
  });
});

describe('discarding', () => {
  it.each<DeliveryState>(['waiting', 'held'])('ends a delivery that is %s', async (state) => {
    const delivery = await inState(state);
    await deliveries.discard(delivery, now);
    expect(await stored(delivery)).toEqual({ ...delivery, state: 'discarded' });
    expect(await collect(deliveries.listHeld(delivery.subscriber, delivery.target))).toEqual([]);
  });

  it.each<DeliveryState>(['delivered', 'exhausted'])('does not change a delivery that is %s', async (state) => {
    const delivery = await inState(state);
    await deliveries.discard(delivery, afterLease);
    expect(await stored(delivery)).toEqual(delivery);
  });

  it('leaves an attempt in progress, and ends one that was interrupted', async () => {
    const delivery = await claimed();
    await deliveries.discard(delivery, afterLease - 1);
    expect(await stored(delivery)).toEqual(delivery);
    await deliveries.discard(delivery, afterLease);
    expect(await stored(delivery)).toMatchObject({ state: 'discarded' });
  });

  it('records a notification that was never attempted, once and for as long as any other', async () => {
    const message = firstAttempt();
    expect(await deliveries.discardFirst(message, now)).toBe('discarded');
    expect(await deliveries.discardFirst(message, now)).toBe('repeat');
    const { id, subscriber, target, kind, payload, created_at } = message;
    expect(await stored(message)).toEqual({
      ...{ id, subscriber, target, kind, payload, created_at },
      ...{ state: 'discarded', attempt_count: 0, attempts: [], replays: [], target_version: 0 },
    });
    expect(await deliveries.claimFirst(message, lease, now)).toEqual({ why: 'repeat' });
    const { Item } = await dynamodb.table.client.send(
      new GetCommand({ TableName: dynamodb.table.name, Key: keys.delivery(subscriber, target, id) }),
    );
    expect(Item?.expires_at_seconds).toBe((now + 30 * day) / 1000);
  });

  it('ends a delivery that is already waiting, and waits for an attempt in progress', async () => {
    const message = firstAttempt();
    const delivery = await claimed(message);
    expect(await deliveries.discardFirst(message, afterLease - 1)).toBe('in-progress');
    await deliveries.record(delivery, { state: 'waiting', attempt: failed, attempt_count: 1 });
    expect(await deliveries.discardFirst(message, now)).toBe('discarded');
    expect(await stored(message)).toMatchObject({ state: 'discarded', attempt_count: 1 });
  });

  it('does not create a delivery for a retry or a replay', async () => {
    const message = firstAttempt();
    expect(await deliveries.discard(retryOf(message, 0), now)).toBe('repeat');
    expect(await stored(message)).toBeUndefined();
  });
});

describe('a due delivery', () => {
  async function waitingUntil(look_after_at: number): Promise<string> {
    const delivery = await claimed();
    await deliveries.record(delivery, {
      state: 'waiting',
      attempt: failed,
      attempt_count: 1,
      next_attempt_at: now,
      look_after_at,
    });
    return delivery.id;
  }

  const dueBefore = async (time: number) => (await collect(deliveries.listDue(time))).map(({ id }) => id);

  it('is found when its time has come, earliest first', async () => {
    const later = await waitingUntil(now + 2_000);
    const soon = await waitingUntil(now + 1_000);
    expect(await dueBefore(now + 1_000)).not.toContain(soon);
    expect(await dueBefore(now + 1_001)).toContain(soon);
    const all = await dueBefore(now + 3_000);
    expect(all.filter((id) => id === soon || id === later)).toEqual([soon, later]);
  });

  it('is postponed by one of two processes that found it, and by none when its wait is over', async () => {
    const id = await waitingUntil(now + 1_000);
    const find = async () => (await collect(deliveries.listDue(now + 20_000))).find((due) => due.id === id);
    const due = await find();
    if (!due) throw new Error('It is not due');
    const both = await Promise.all([deliveries.postpone(due, now + 10_000), deliveries.postpone(due, now + 10_000)]);
    expect(both.filter(Boolean)).toHaveLength(1);
    expect(await dueBefore(now + 10_000)).not.toContain(id);
    const again = await find();
    if (!again) throw new Error('It is not due any more');
    await deliveries.claimRetry(retryOf(again, 1), lease, now);
    expect(await deliveries.postpone(again, now + 30_000)).toBe(false);
  });

  it('can be a held delivery that was released, and is found only once', async () => {
    const delivery = await inState('held');
    await deliveries.release([{ ...delivery, attempt_count: 0 }], now, now + 1_000);
    expect(await stored(delivery)).toEqual(delivery);
    await deliveries.release([delivery], now, now + 1_000);
    expect(await stored(delivery)).toEqual({ ...delivery, state: 'waiting', next_attempt_at: now });
    expect(await collect(deliveries.listHeld(delivery.subscriber, delivery.target))).toEqual([]);
    expect(await dueBefore(now + 1_001)).toContain(delivery.id);
    const claim = await deliveries.claimRetry(retryOf(delivery, 1), lease, now);
    await deliveries.release([delivery], now, now + 1_000);
    expect(await stored(delivery)).toEqual(claim.claimed);
  });

  it('is not due any more once it is claimed, held or discarded', async () => {
    const ends = [
      (delivery: Delivery) => deliveries.claimRetry(retryOf(delivery, 1), lease, now),
      (delivery: Delivery) => deliveries.claimReplay(replayOf(delivery), lease, now),
      (delivery: Delivery) => deliveries.hold(retryOf(delivery, 1), now),
      (delivery: Delivery) => deliveries.discard(delivery, now),
    ];
    for (const end of ends) {
      const delivery = await claimed();
      const next_attempt_at = now + 5_000;
      await deliveries.record(delivery, {
        state: 'waiting',
        attempt: failed,
        attempt_count: 1,
        next_attempt_at,
        look_after_at: next_attempt_at,
      });
      expect(await dueBefore(next_attempt_at + 1)).toContain(delivery.id);
      await end(delivery);
      expect(await dueBefore(next_attempt_at + 1)).not.toContain(delivery.id);
      expect(await stored(delivery)).not.toHaveProperty('next_attempt_at');
    }
  });
});

describe('the search', () => {
  // Every partition contains some of this subscriber's deliveries.
  const subscriber = '01a20191-1ff2-737e-b334-000000000000';
  /** Oldest first, at intervals of a minute. Every third is delivered, every fourth is a call. */
  const all = Array.from({ length: 400 }, (_, minute): Delivery => {
    const target = minute % 4 ? 'webhook' : 'calls_webhook';
    const timestampMs = now + minute * 60_000;
    return {
      ...firstAttempt({ subscriber, target, id: deliveryId({ subscriber, target, key: String(minute), timestampMs }) }),
      ...{ state: minute % 3 ? 'exhausted' : 'delivered', attempt_count: 1, attempts: [failed], replays: [] },
      created_at: timestampMs + 700,
    };
  });
  const found = async (query: Partial<DeliveryQuery> = {}) => {
    const steps = await collect(
      deliveries.search({ subscriber, targets, order: 'oldest-first', filter: {}, ...query }),
    );
    return steps.flatMap(({ delivery }) => (delivery ? [delivery.id] : []));
  };
  const idsOf = (some: Delivery[]) => some.map(({ id }) => id);

  beforeAll(() =>
    loadItems(
      dynamodb.table,
      all.map((delivery) => deliveryItem(delivery)),
    ),
  );

  it('finds every delivery of the subscriber across all its partitions, in order', async () => {
    const partitions = new Set(all.map(({ target, id }) => keys.delivery(subscriber, target, id).pk));
    expect(partitions.size).toBe(2 * eachShard(() => 1).length);
    expect(await found()).toEqual(idsOf(all));
    expect(await found({ order: 'newest-first' })).toEqual(idsOf(all.toReversed()));
    expect(await found({ subscriber: newId() })).toEqual([]);
  });

  it('continues from any position, in both directions', async () => {
    const after = all[200]?.id;
    expect(await found({ after })).toEqual(idsOf(all.slice(201)));
    expect(await found({ after, order: 'newest-first' })).toEqual(idsOf(all.slice(0, 200).toReversed()));
    expect(await found({ after: all.at(-1)?.id })).toEqual([]);
    expect(await found({ after: all[0]?.id, order: 'newest-first' })).toEqual([]);
  });

  it('filters by state, target and time of creation', async () => {
    const [since = 0, until = 0] = [all[100]?.created_at, all[300]?.created_at];
    for (const state of ['exhausted', 'delivered'] as const) {
      const expected = all.slice(100, 301).filter((one) => one.state === state && one.target === 'calls_webhook');
      const query = { targets: ['calls_webhook'], filter: { since, until, state } } as const;
      expect(await found(query)).toEqual(idsOf(expected));
      expect(await found({ ...query, order: 'newest-first' })).toEqual(idsOf(expected.toReversed()));
    }
    expect(await found({ filter: { since, until } })).toEqual(idsOf(all.slice(100, 301)));
  });

  it.each([
    ['ends before it begins', { filter: { since: now + day, until: now } }],
    ['goes on behind its end', { filter: { since: 0, until: now - 2 * day }, after: all[10]?.id }],
    ['ended before there was time', { filter: { since: 0, until: -Date.now() } }],
  ])('finds nothing in a time range that %s', async (_, query) => {
    expect(await found(query)).toEqual([]);
    expect(await found({ ...query, order: 'newest-first' })).toEqual([]);
  });

  it('reports how far it has searched if nothing matches', async () => {
    const crowded = newId();
    // With one key and many times, all ids end alike, so one partition contains more of them than the search reads at a
    // time.
    const ids = Array.from({ length: 100 }, (_, minute) =>
      deliveryId({ subscriber: crowded, target: 'webhook', key: 'crowded', timestampMs: now + minute * 60_000 }),
    );
    await loadItems(
      dynamodb.table,
      ids.map((id) =>
        deliveryItem({
          ...firstAttempt({ subscriber: crowded, id }),
          ...{ state: 'exhausted', attempt_count: 1, attempts: [failed], replays: [] },
        }),
      ),
    );
    const steps = await collect(
      deliveries.search({ subscriber: crowded, targets, order: 'newest-first', filter: { state: 'delivered' } }),
    );
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.every(({ delivery }) => delivery === undefined)).toBe(true);
    const passed = steps.map(({ id }) => id);
    expect(passed).toEqual(passed.toSorted().toReversed());
    expect(ids).toEqual(expect.arrayContaining(passed));
  });

  /** A delivery that was created this long after its event. */
  async function createdAfter(offset: number, members: Partial<Delivery> = {}) {
    const id = deliveryId({ subscriber: 'any', target: 'webhook', key: newId(), timestampMs: now });
    const delivery: Delivery = {
      ...{ ...firstAttempt({ id }), state: 'delivered', attempt_count: 1, attempts: [failed], replays: [] },
      ...{ created_at: now + offset, ...members },
    };
    await deliveries.insert(delivery);
    return delivery;
  }

  it.each([-day, 0, day])(
    'finds a delivery that was created %i ms after its event by its time of creation',
    async (offset) => {
      const { subscriber, id, created_at } = await createdAfter(offset);
      for (const filter of [
        { since: created_at },
        { since: created_at, until: created_at },
        { until: created_at },
        { since: created_at, state: 'delivered' } as const,
      ]) {
        expect(await found({ subscriber, filter })).toEqual([id]);
      }
      for (const filter of [{ since: created_at + 1 }, { until: created_at - 1 }]) {
        expect(await found({ subscriber, filter })).toEqual([]);
      }
    },
  );

  it('finds an event that is years old if it was not delivered, and otherwise without a time', async () => {
    const years = 6 * 365 * day;
    const [delivered, exhausted] = [await createdAfter(years), await createdAfter(years, { state: 'exhausted' })];
    for (const { subscriber, id, created_at, state } of [delivered, exhausted]) {
      expect(await found({ subscriber })).toEqual([id]);
      expect(await found({ subscriber, filter: { state } })).toEqual([id]);
      expect(await found({ subscriber, filter: { since: created_at, state: 'exhausted' } })).toEqual(
        state === 'exhausted' ? [id] : [],
      );
    }
  });
});
