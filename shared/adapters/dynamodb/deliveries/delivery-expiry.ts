import type { Delivery } from '#shared/domain/deliveries/delivery.ts';
import { deliveryKeptMs } from '#shared/domain/deliveries/limits.ts';

/** When DynamoDB deletes what is stored of a delivery. */
export function deliveryExpiry({ created_at }: Pick<Delivery, 'created_at'>) {
  return { expires_at_seconds: Math.ceil((created_at + deliveryKeptMs) / 1000) };
}
