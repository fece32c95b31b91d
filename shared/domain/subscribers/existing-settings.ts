import { ServiceError } from '../errors/service-error.ts';
import type { DeliverySettings, TargetStore } from './target-store.ts';

/** Reads the settings of a subscriber; `not-found` when it was deleted meanwhile. */
export async function existingSettings(
  subscriber: string,
  targets: Pick<TargetStore, 'read'>,
): Promise<DeliverySettings> {
  const settings = await targets.read(subscriber);
  if (!settings) throw new ServiceError('number.not-found');
  return settings;
}
