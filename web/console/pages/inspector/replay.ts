import type { ShownDelivery } from '#local/console/shown-delivery.ts';
import { make } from '../../calls.ts';
import type { Snapshot } from '../../snapshot.ts';

/** Sends a delivery once more. */
export function replay({ subscriber, id }: ShownDelivery, { numbers }: Snapshot['world']): Promise<unknown> {
  const isNumber = numbers.some((number) => number.id === subscriber);
  const owner = isNumber ? `messaging/numbers/${subscriber}` : `workspaces/${subscriber}`;
  const path = `/v2/${owner}/webhook/deliveries/${id}/replay`;
  return make({ to: 'service', method: 'POST', path, body: undefined });
}

/** Oldest first, as they happened. */
export async function replayAll(deliveries: readonly ShownDelivery[], world: Snapshot['world']): Promise<void> {
  for (const delivery of deliveries.toReversed()) await replay(delivery, world);
}
