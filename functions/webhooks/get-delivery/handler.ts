import { type DeliveryReader, deliveryWithPayload } from '#shared/http/deliveries/delivery-with-payload.ts';
import { subscriberOf } from '#shared/http/webhooks/subscriber-of.ts';
import type { WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { createHandlerByRoute } from '#shared/http/wrapper/create-handler-by-route.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { link, readPayload } from '#shared/runtime/providers/files.ts';
import { deliveries } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract, workspaceContract } from './contract.ts';

const contracts = [contract, workspaceContract];

type Dependencies = WrapperDependencies & DeliveryReader;

export const makeHandler = (dependencies: Dependencies) =>
  createHandlerByRoute(contracts, dependencies, async (request) => {
    const { params, language } = request;
    const { id: subscriber } = subscriberOf(request);
    return ok(await deliveryWithPayload({ subscriber, id: params.delivery, language }, dependencies));
  });

export const handler = serve(contracts, makeHandler, { access, deliveries, readPayload, link });
