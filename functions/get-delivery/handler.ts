import { maxResponseBytes, sizeInResponse } from '#shared/base/response-size.ts';
import type { Delivery } from '#shared/domain/deliveries/delivery.ts';
import type { DeliveryStore } from '#shared/domain/deliveries/delivery-store.ts';
import { existingDelivery } from '#shared/domain/deliveries/find.ts';
import type { PayloadStore } from '#shared/domain/deliveries/payload-store.ts';
import { type BucketLink, linkSeconds } from '#shared/domain/media/bucket-link.ts';
import { toDeliveryObject } from '#shared/http/deliveries/delivery-object.ts';
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
    const whole = { ...toDeliveryObject(delivery, language), payload };
    if (sizeInResponse(JSON.stringify(whole)) <= maxResponseBytes) return ok(whole);
    return ok({ ...whole, payload: beginning(payload), ...(await linkToPayload(delivery, dependencies.link)) });
  });

const beginningLength = 100_000;

/** Returns the beginning of a long text, without splitting a character. */
function beginning(text: string): string {
  return text.slice(0, beginningLength).replace(/[\ud800-\udbff]$/, '');
}

/** Links to the payload in the bucket. A payload that is too large for a response is never in the item itself. */
async function linkToPayload({ id, payload }: Delivery, link: BucketLink): Promise<{ payload_url?: string }> {
  if (!('blob' in payload)) return {};
  return {
    payload_url: await link(payload.blob, {
      contentType: 'application/json',
      contentDisposition: `attachment; filename="${id}.json"`,
      cacheControl: 'private, no-store',
      expiresInSeconds: linkSeconds,
    }),
  };
}

export const handler = serve(contract, makeHandler, { access, deliveries, readPayload, link });
