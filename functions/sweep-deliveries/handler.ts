import { type SweepContext, sweep } from '../../shared/deliveries/sweep.ts';
import { requiredEnv } from '../../shared/env.ts';
import { notificationQueue } from '../../shared/queue/notification-queue.ts';
import { deliveryStore } from '../../shared/storage/deliveries.ts';
import { openTable } from '../../shared/storage/table.ts';
import { targetStore } from '../../shared/storage/targets.ts';

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
