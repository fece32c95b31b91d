import * as z from 'zod/mini';
import { maxResponseBytes, sizeInResponse } from '#shared/base/response-size.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import type { Delivery } from '#shared/domain/deliveries/delivery.ts';
import type { DeliveryStore } from '#shared/domain/deliveries/delivery-store.ts';
import { existingDelivery } from '#shared/domain/deliveries/find-deliveries.ts';
import type { PayloadStore } from '#shared/domain/deliveries/payload-store.ts';
import { type BucketLink, linkSeconds } from '#shared/domain/media/bucket-link.ts';
import { describeComponent } from '../contract/contract.ts';
import type { Language } from '../language/language.ts';
import { toDeliveryObject } from './delivery-object.ts';
import { deliverySchema, deliveryTexts } from './delivery-schema.ts';

/** A delivery with the text that was or will be sent. */
export const deliveryWithPayloadSchema = z.object({
  ...deliverySchema.shape,
  payload: z.string(),
  payload_url: z.optional(z.string()),
});
/* @__PURE__ */ describeComponent('DeliveryWithPayload', deliveryWithPayloadSchema, () => ({
  ...deliveryTexts(),
  payload: 'The body of the notification, byte for byte; only its beginning where there is a `payload_url`.',
  payload_url:
    'Link to the whole body, which works for five minutes without a token. Present only where the body is too long for this response.',
}));

export interface DeliveryReader {
  deliveries: Pick<DeliveryStore, 'get'>;
  readPayload: PayloadStore['read'];
  link: BucketLink;
  now: Clock;
}

/**
 * Reads a subscriber's delivery with its payload. If they are too large for a response, it contains the beginning of
 * the payload and a link to all of it.
 */
export async function deliveryWithPayload(
  { subscriber, id, language }: { subscriber: string; id: string | undefined; language: Language },
  context: DeliveryReader,
) {
  const delivery = await existingDelivery(subscriber, id, context);
  const payload = await context.readPayload(delivery.payload);
  const whole = { ...toDeliveryObject(delivery, language), payload };
  if (sizeInResponse(JSON.stringify(whole)) <= maxResponseBytes) return whole;
  return { ...whole, payload: beginning(payload), ...(await linkToPayload(delivery, context.link)) };
}

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
