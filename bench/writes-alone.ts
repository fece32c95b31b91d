import { randomUUID } from 'node:crypto';
import { accountId } from '#local/aws/base/account.ts';
import { startDynamoDbFront } from '#local/aws/dynamodb/front.ts';
import { administrator } from '#local/aws/stack/administrator.ts';
import { batchDeliveries } from '#shared/adapters/dynamodb/deliveries.ts';
import { openTable } from '#shared/adapters/dynamodb/table.ts';
import { forEachOf } from '#shared/base/each.ts';
import { newId } from '#shared/base/ids.ts';
import type { BatchDeliveries } from '#shared/domain/deliveries/delivery-store.ts';
import { inTens } from './loads.ts';
import type { BenchNumber, Pipeline } from './pipeline.ts';
import { notificationOf, textMessage } from './signed-event.ts';

/**
 * Makes the writes of notifications that come in tens, claims and results, through a front without roles, and nothing
 * else. A service that makes these writes in these batches cannot be faster. Returns notifications a second.
 */
export async function writesAlone(
  { world: { description } }: Pipeline,
  numbers: readonly BenchNumber[],
): Promise<number> {
  const { region, dynamodb: engineUrl, table_name: name } = description.aws;
  const front = await startDynamoDbFront({
    ...{ engineUrl, region, accountId, authorize: () => undefined, batchesAsTransactions: true },
    partitionKeyNames: new Map([[name, 'pk']]),
  });
  const table = openTable(name, { endpoint: front.url, region, credentials: administrator });
  try {
    return await notificationsPerSecond(batchDeliveries(table), numbers);
  } finally {
    table.client.destroy();
    await front.close();
  }
}

async function notificationsPerSecond(
  deliveriesOf: (parties: number) => BatchDeliveries,
  numbers: readonly BenchNumber[],
): Promise<number> {
  const { posts, messagesAPost, pace } = inTens;
  async function* batches() {
    for (let post = 0; post < posts; post++) yield numbers[post % numbers.length] as BenchNumber;
  }
  const start = performance.now();
  const errors = await forEachOf(batches(), pace.atOnce, async ({ id }) => {
    const deliveries = deliveriesOf(messagesAPost);
    await Promise.all(Array.from({ length: messagesAPost }, () => deliverOne(deliveries, id)));
  });
  if (errors.length > 0) throw errors[0];
  return (posts * messagesAPost * 1000) / (performance.now() - start);
}

async function deliverOne(deliveries: BatchDeliveries, number: string): Promise<void> {
  const now = Date.now();
  const { claimed } = await deliveries.claimFirst(
    {
      do: 'deliver',
      number,
      target: 'webhook',
      id: newId(),
      kind: 'message',
      payload: { text: notificationOf(textMessage()) },
      created_at: now,
      settings_version: 0,
    },
    { holder: randomUUID(), expires_at: now + 1000 },
    now,
  );
  if (!claimed) throw new Error('The claim of a new delivery failed');
  const attempt = { at: now, duration_ms: 1, status: 200, excerpt: '' };
  await deliveries.record(claimed, { state: 'delivered', attempt, attempt_count: 1 });
  deliveries.leave();
}
