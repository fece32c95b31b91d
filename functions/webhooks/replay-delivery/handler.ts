import type { DeliveryStore } from '#shared/domain/deliveries/delivery-store.ts';
import { existingDelivery } from '#shared/domain/deliveries/find-deliveries.ts';
import type { NotificationQueue } from '#shared/domain/deliveries/notification-queue.ts';
import { replay } from '#shared/domain/deliveries/replay.ts';
import type { TargetStore } from '#shared/domain/subscribers/target-store.ts';
import { subscriberOf } from '#shared/http/webhooks/subscriber-of.ts';
import type { WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { createHandlerByRoute } from '#shared/http/wrapper/create-handler-by-route.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { queue } from '#shared/runtime/providers/queue.ts';
import { deliveries, targets } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract, workspaceContract } from './contract.ts';

const contracts = [contract, workspaceContract];

interface Dependencies extends WrapperDependencies {
  deliveries: Pick<DeliveryStore, 'get'>;
  targets: Pick<TargetStore, 'read'>;
  queue: NotificationQueue;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) => {
    const subscriber = subscriberOf(request);
    const delivery = await existingDelivery(subscriber.id, request.params.delivery, dependencies);
    await replay(subscriber, delivery, dependencies);
    return ok({ success: true });
  });

export const handler = serve(contracts, makeHandler, { access, deliveries, targets, queue });
