import { deliveries, readPayload, targets } from '#functions/webhooks/compose.ts';
import { type DeliveryReader, deliveryWithPayload } from '#shared/delivery/read-deliveries.ts';
import { link } from '#shared/operations/compose.ts';
import { createHandlerByRoute, ok, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { serve } from '#shared/operations/serve.ts';
import { subscriberOf } from '#shared/webhooks/subscriber.ts';
import { getDelivery as contract, getWorkspaceDelivery as workspaceContract } from './contracts.ts';

const contracts = [contract, workspaceContract];

type Dependencies = WrapperDependencies & DeliveryReader;

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) => {
    const { params, language } = request;
    const { id: subscriber } = subscriberOf(request);
    return ok(await deliveryWithPayload({ subscriber, id: params.delivery, language }, dependencies));
  });

export const start = serve(contracts, makeHandler, { deliveries, targets, readPayload, link });
