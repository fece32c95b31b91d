import { type DeliveryReader, deliveryWithPayload } from '#shared/http/deliveries/delivery-with-payload.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/access.ts';
import { link } from '#shared/runtime/providers/bucket-link.ts';
import { deliveries } from '#shared/runtime/providers/deliveries.ts';
import { readPayload } from '#shared/runtime/providers/read-payload.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

type Dependencies = WrapperDependencies & DeliveryReader;

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ workspace, params, language }) =>
    ok(await deliveryWithPayload({ subscriber: workspace.id, id: params.delivery, language }, dependencies)),
  );

export const handler = serve(contract, makeHandler, { access, deliveries, readPayload, link });
