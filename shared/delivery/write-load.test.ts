import type { PutCommandInput } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { Table } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import type { Target } from '#shared/webhooks/subscriber.ts';
import { type AttemptRecord, deliveryId } from './delivery.ts';
import { deliveryStore } from './delivery-store.ts';
import type { FirstAttempt } from './notification.ts';

/** The write limit of a partition of a table or of an index (DynamoDB, service quotas). */
const maxUnitsPerSecond = 1_000;

/** The maximum load of one number, for each of two targets. */
const eventsPerSecond = 4_000;
const targets: readonly Target[] = ['webhook', 'secondary_webhook'];
const seconds = 3;
const begin = Date.UTC(2026, 0, 31);
const subscriber = newId();

/** The write units of an item: a status has up to 1 KB, and what a receiver said to a failed attempt 0.7 KB more. */
const unitsOf = (kind: unknown, state: unknown) => (kind === 'message' || state === 'waiting' ? 2 : 1);

/** Counts the write units of each partition in each second of the test's clock. */
function countingTable() {
  const units = new Map<string, number>();
  const clock = { now: begin };
  const count = (partition: unknown, written: number) => {
    if (partition === undefined) return;
    const key = `${partition} in second ${Math.floor((clock.now - begin) / 1000)}`;
    units.set(key, (units.get(key) ?? 0) + written);
  };
  const indexed = { gsi1pk: new Map<string, unknown>(), gsi2pk: new Map<string, unknown>() };
  const kinds = new Map<unknown, unknown>();
  const client = {
    async send({ input }: { input: PutCommandInput & { Key?: Record<string, unknown>; UpdateExpression?: string } }) {
      const { pk, sk } = input.Key ?? input.Item ?? {};
      if (input.Item) kinds.set(sk, input.Item.kind);
      count(pk, unitsOf(kinds.get(sk), input.ExpressionAttributeValues?.[':state']));
      for (const name of ['gsi1pk', 'gsi2pk'] as const) {
        const entry = input.Item?.[name] ?? input.ExpressionAttributeValues?.[`:${name}`];
        // An index of keys needs one unit for each entry that is added or removed.
        count(entry, 1);
        if (input.UpdateExpression?.includes('REMOVE')) count(indexed[name].get(String(sk)), 1);
        indexed[name].set(String(sk), entry);
      }
      return { Attributes: { ...input.Item, attempts: [], replays: [] } };
    },
  };
  return {
    deliveries: deliveryStore({ client, name: 'table' } as unknown as Table),
    clock,
    busiest: () => Math.max(...units.values()),
    partitions: () => new Set([...units.keys()].map((key) => key.replace(/ in second .*/, ''))).size,
  };
}

async function atFullRate(handle: (message: FirstAttempt) => Promise<unknown>, clock: { now: number }): Promise<void> {
  for (let event = 0; event < eventsPerSecond * seconds; event++) {
    clock.now = begin + (event * 1_000) / eventsPerSecond;
    for (const target of targets) {
      const id = deliveryId({
        subscriber,
        target,
        key: `wamid.${event}`,
        timestampMs: Math.floor(clock.now / 1000) * 1000,
      });
      await handle({
        ...{ task: 'deliver', subscriber, target, id, payload: { text: '' } },
        // Three statuses follow each message.
        kind: event % 4 === 0 ? 'message' : 'status',
        created_at: clock.now,
        target_version: 0,
      });
    }
  }
}

const attempt: AttemptRecord = { at: begin, duration_ms: 20, status: 200 };
const lease = { holder: 'me', until: begin };

describe('the peak load of one number overloads no partition', () => {
  it('if all deliveries succeed at once', async () => {
    const { deliveries, clock, busiest, partitions } = countingTable();
    await atFullRate(async (message) => {
      const { claimed } = await deliveries.claimFirst(message, lease, clock.now);
      if (claimed) await deliveries.record(claimed, { state: 'delivered', attempt, attempt_count: 1 });
    }, clock);
    expect(partitions()).toBe(32);
    expect(busiest()).toBeLessThan(maxUnitsPerSecond);
  });

  it('if all deliveries are held for targets whose breaker is open', async () => {
    const { deliveries, clock, busiest } = countingTable();
    await atFullRate((message) => deliveries.hold(message, clock.now), clock);
    expect(busiest()).toBeLessThan(maxUnitsPerSecond);
  });

  it('if all deliveries fail and wait', async () => {
    const { deliveries, clock, busiest } = countingTable();
    await atFullRate(async (message) => {
      const { claimed } = await deliveries.claimFirst(message, lease, clock.now);
      const result = { state: 'waiting', attempt, attempt_count: 1, look_after_at: clock.now + 60_000 } as const;
      if (claimed) await deliveries.record(claimed, result);
    }, clock);
    expect(busiest()).toBeLessThan(maxUnitsPerSecond);
  });
});
