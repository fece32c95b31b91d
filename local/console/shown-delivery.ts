import type { Delivery } from '#shared/domain/deliveries/delivery.ts';
import { toDeliveryObject } from '#shared/http/deliveries/delivery-object.ts';

/** A delivery as the API shows it, with its subscriber and the body that is sent, unless that is in the bucket. */
export type ShownDelivery = ReturnType<typeof shownDelivery>;

export const shownDelivery = (delivery: Delivery) => ({
  ...toDeliveryObject(delivery, 'en'),
  subscriber: delivery.subscriber,
  body: 'text' in delivery.payload ? delivery.payload.text : null,
});
