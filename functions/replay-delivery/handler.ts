import { accessReader } from '#shared/adapters/dynamodb/access.ts';
import { deliveryStore } from '#shared/adapters/dynamodb/deliveries.ts';
import { openTable } from '#shared/adapters/dynamodb/table.ts';
import { targetStore } from '#shared/adapters/dynamodb/targets.ts';
import { notificationQueue } from '#shared/adapters/sqs/notification-queue.ts';
import type { DeliveryStore } from '#shared/domain/deliveries/delivery-store.ts';
import { existingDelivery } from '#shared/domain/deliveries/find.ts';
import type { NotificationQueue } from '#shared/domain/deliveries/notification-queue.ts';
import { replay } from '#shared/domain/deliveries/replay.ts';
import type { TargetStore } from '#shared/domain/deliveries/target-store.ts';
import { ok } from '#shared/http/answers.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/create-handler.ts';
import { requiredEnv } from '#shared/runtime/env.ts';
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
