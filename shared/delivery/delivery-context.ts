import type { Clock } from '#shared/base/time.ts';
import type { Sender } from '#shared/egress/sender.ts';
import type { BreakerStore } from '#shared/webhooks/breaker-store.ts';
import type { TargetStore } from '#shared/webhooks/target-store.ts';
import type { Payload } from './delivery.ts';
import type { DeliveryStore } from './delivery-records.ts';
import type { BatchSettings, rememberSettings } from './known-settings.ts';
import type { NotificationQueue } from './notification-queue-store.ts';
import type { Streaks } from './streaks.ts';

/** What a batch of notifications needs to be delivered. */
export interface DeliveryContext {
  deliveries: DeliveryStore;
  targets: TargetStore;
  breakers: BreakerStore;
  settings: BatchSettings;
  streaks: Streaks;
  queue: NotificationQueue;
  sender: Sender;
  readPayload: (payload: Payload) => Promise<string>;
  /** Seconds between attempts. */
  schedule: readonly number[];
  /** The time limit of a whole attempt. */
  timeoutMs: number;
  /** Whether the store rejected a request only because of other requests: too many, or one that changed the same. */
  isTransient: (error: unknown) => error is Error;
  now: Clock;
  random: () => number;
}

/** What a delivery process keeps from batch to batch. */
export interface ProcessContext extends Omit<DeliveryContext, 'settings'> {
  settings: ReturnType<typeof rememberSettings>;
}
