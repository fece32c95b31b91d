import { maxResponseBytes, sizeInResponse } from '#shared/base/response-size.ts';
import type { Delivery } from '#shared/domain/deliveries/delivery.ts';
import { type BucketLink, linkSeconds } from '#shared/domain/media/bucket-link.ts';
import type { Language } from '../language/language.ts';
import { toDeliveryObject } from './delivery-object.ts';

/**
 * Builds the API's delivery object with its payload. If they are too large for a response, it contains the beginning of
 * the payload and a link to all of it.
 */
export async function deliveryWithPayload(delivery: Delivery, payload: string, language: Language, link: BucketLink) {
  const whole = { ...toDeliveryObject(delivery, language), payload };
  if (sizeInResponse(JSON.stringify(whole)) <= maxResponseBytes) return whole;
  return { ...whole, payload: beginning(payload), ...(await linkToPayload(delivery, link)) };
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
