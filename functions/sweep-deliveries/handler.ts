import { deliveryStore } from '#shared/adapters/dynamodb/deliveries.ts';
import { openTable } from '#shared/adapters/dynamodb/table.ts';
import { targetStore } from '#shared/adapters/dynamodb/targets.ts';
import { notificationQueue } from '#shared/adapters/sqs/notification-queue.ts';
import { type SweepContext, sweep } from '#shared/domain/deliveries/sweep.ts';
import { requiredEnv } from '#shared/runtime/env.ts';

export const makeHandler = (context: SweepContext) => async (): Promise<void> => sweep(context);

export const handler = makeHandler(runtime());

function runtime(): SweepContext {
  const table = openTable(requiredEnv('TABLE_NAME'));
  return {
    deliveries: deliveryStore(table),
    targets: targetStore(table),
    queue: notificationQueue(requiredEnv('QUEUE_URL')),
    now: Date.now,
  };
}
