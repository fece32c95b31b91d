import type { DeliveryStore } from '#shared/domain/deliveries/delivery-store.ts';
import { existingDelivery } from '#shared/domain/deliveries/find.ts';
import type { PayloadStore } from '#shared/domain/deliveries/payload-store.ts';
import type { BucketLink } from '#shared/domain/media/bucket-link.ts';
import { deliveryWithPayload } from '#shared/http/deliveries/delivery-with-payload.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/access.ts';
import { link } from '#shared/runtime/providers/bucket-link.ts';
import { deliveries } from '#shared/runtime/providers/deliveries.ts';
import { readPayload } from '#shared/runtime/providers/read-payload.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

interface Dependencies extends WrapperDependencies {
  deliveries: Pick<DeliveryStore, 'get'>;
  readPayload: PayloadStore['read'];
  link: BucketLink;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ number, params, language }) => {
    const delivery = await existingDelivery(number.id, params.delivery, dependencies);
    const payload = await dependencies.readPayload(delivery.payload);
    return ok(await deliveryWithPayload(delivery, payload, language, dependencies.link));
  });

export const handler = serve(contract, makeHandler, { access, deliveries, readPayload, link });
