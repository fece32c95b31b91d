import { existingDelivery } from '../../shared/deliveries/find.ts';
import { replay } from '../../shared/deliveries/replay.ts';
import { requiredEnv } from '../../shared/env.ts';
import { ok } from '../../shared/http/answers.ts';
import { createHandler, type WrapperDependencies } from '../../shared/http/create-handler.ts';
import { type NotificationQueue, notificationQueue } from '../../shared/queue/notification-queue.ts';
import { accessReader } from '../../shared/storage/access.ts';
import { type DeliveryStore, deliveryStore } from '../../shared/storage/deliveries.ts';
import { openTable } from '../../shared/storage/table.ts';
import { type TargetStore, targetStore } from '../../shared/storage/targets.ts';
import { contract } from './contract.ts';

interface Dependencies extends WrapperDependencies {
  deliveries: Pick<DeliveryStore, 'get'>;
  targets: Pick<TargetStore, 'read'>;
  queue: NotificationQueue;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ number, params }) => {
    await replay(await existingDelivery(number.id, params.delivery, dependencies), dependencies);
    return ok({ success: true });
  });

export const handler = makeHandler(runtime());

function runtime(): Dependencies {
  const table = openTable(requiredEnv('TABLE_NAME'));
  return {
    access: accessReader(table),
    now: Date.now,
    deliveries: deliveryStore(table),
    targets: targetStore(table),
    queue: notificationQueue(requiredEnv('QUEUE_URL')),
  };
}
