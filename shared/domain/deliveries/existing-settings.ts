import { isWorkspace, type SubscriberKey, workspaceSubscriber } from '../accounts/subscriber.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { DeliverySettings, TargetStore } from './target-store.ts';

/** Reads the settings of a subscriber; `not-found` for a number that was deleted. */
export async function existingSettings(
  subscriber: SubscriberKey,
  targets: Pick<TargetStore, 'read'>,
): Promise<DeliverySettings> {
  const settings = await targets.read(subscriber.id);
  if (settings) return settings;
  // Before the first change, no settings of a workspace are stored.
  if (isWorkspace(subscriber)) return { subscriber: workspaceSubscriber(subscriber), secrets: undefined, breakers: {} };
  throw new ServiceError('number.not-found');
}
