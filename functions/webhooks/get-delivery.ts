import { access } from '#shared/compose/accounts.ts';
import { link, readPayload } from '#shared/compose/files.ts';
import { deliveries } from '#shared/compose/stores.ts';
import { type DeliveryReader, deliveryWithPayload } from '#shared/delivery/delivery-object.ts';
import { createHandlerByRoute, type WrapperDependencies } from '#shared/operations/create-handler.ts';
import { ok } from '#shared/operations/respond.ts';
import { serve } from '#shared/operations/serve.ts';
import { subscriberOf } from '#shared/webhooks/workspace-webhook.ts';
import { getDelivery as contract, getWorkspaceDelivery as workspaceContract } from './contracts.ts';

const contracts = [contract, workspaceContract];

type Dependencies = WrapperDependencies & DeliveryReader;

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) => {
    const { params, language } = request;
    const { id: subscriber } = subscriberOf(request);
    return ok(await deliveryWithPayload({ subscriber, id: params.delivery, language }, dependencies));
  });

export const handler = serve(contracts, makeHandler, { access, deliveries, readPayload, link });
