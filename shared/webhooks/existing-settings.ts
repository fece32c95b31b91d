import { type Subscriber, subscriberNotFound } from './subscriber.ts';
import type { DeliverySettings, TargetStore } from './target-store.ts';

/** Reads the settings of a subscriber; throws `not-found` if it was deleted meanwhile. */
export async function existingSettings(
  subscriber: Subscriber,
  targets: Pick<TargetStore, 'read'>,
): Promise<DeliverySettings> {
  const settings = await targets.read(subscriber.id);
  if (!settings) throw subscriberNotFound(subscriber);
  return settings;
}
