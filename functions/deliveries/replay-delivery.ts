import { deliveries, targets } from '#functions/webhooks/compose.ts';
import type { NotificationQueue } from '#shared/delivery/notification-queue-store.ts';
import { type DeliveryFinder, existingDelivery } from '#shared/delivery/read-deliveries.ts';
import { replay } from '#shared/delivery/replay.ts';
import { queue } from '#shared/operations/compose.ts';
import { createHandlerByRoute, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { subscriberOf } from '#shared/webhooks/subscriber.ts';
import { replayDelivery as contract, replayWorkspaceDelivery as workspaceContract } from './contracts.ts';

const contracts = [contract, workspaceContract];

interface Dependencies extends WrapperDependencies, DeliveryFinder {
  queue: NotificationQueue;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) => {
    const subscriber = subscriberOf(request);
    const delivery = await existingDelivery(subscriber.id, request.params.delivery, dependencies);
    await replay(subscriber, delivery, dependencies);
    return ok({ success: true });
  });

export const start = serve(contracts, makeHandler, { deliveries, targets, queue });
