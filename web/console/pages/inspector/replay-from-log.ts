import type { ShownDelivery } from '#local/console/console-values.ts';
import { make } from '../../calls.ts';
import { messageOf } from '../../http.ts';
import type { Snapshot } from '../../snapshot.ts';

/** Sends a delivery once more. */
export function replay({ subscriber, id }: ShownDelivery, { workspaces }: Snapshot['world']): Promise<unknown> {
  const isWorkspace = workspaces.some((workspace) => workspace.id === subscriber);
  const owner = isWorkspace ? `workspaces/${subscriber}` : `messaging/numbers/${subscriber}`;
  const path = `/v2/${owner}/webhook/deliveries/${id}/replay`;
  return make({ to: 'service', method: 'POST', path, body: undefined });
}

/**
 * Oldest first, as they happened.
 * @throws an error that says how many were rejected, and why the first of them was
 */
export async function replayAll(deliveries: readonly ShownDelivery[], world: Snapshot['world']): Promise<void> {
  const rejections: string[] = [];
  for (const delivery of deliveries.toReversed()) {
    await replay(delivery, world).catch((error) => rejections.push(messageOf(error)));
  }
  if (rejections.length > 0) {
    throw new Error(`${rejections.length} of ${deliveries.length} were not replayed. ${rejections[0]}`);
  }
}
