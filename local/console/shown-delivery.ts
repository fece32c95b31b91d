import { parseJson } from '#shared/base/json.ts';
import type { Delivery } from '#shared/delivery/delivery.ts';
import { toDeliveryObject } from '#shared/delivery/read-deliveries.ts';
import { aboutOf, contentOf, subjectOf } from './subject.ts';

/**
 * A delivery as the API shows it, with its subscriber, what it is about, and the body that is sent, unless that is in
 * the bucket.
 */
export type ShownDelivery = ReturnType<typeof shownDelivery>;

export function shownDelivery(delivery: Delivery) {
  const { subscriber, payload } = delivery;
  const body = 'text' in payload ? payload.text : null;
  const value = contentOf(parseJson(body ?? ''));
  const shown = toDeliveryObject(delivery, 'en');
  return { ...shown, subscriber, subject: subjectOf(value, shown.kind), about: aboutOf(value), body };
}
