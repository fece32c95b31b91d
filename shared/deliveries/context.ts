import type { Clock } from '../clock.ts';
import type { Sender } from '../outgoing/send.ts';
import type { NotificationQueue } from '../queue/notification-queue.ts';
import type { DeliveryStore } from '../storage/deliveries.ts';
import type { TargetStore } from '../storage/targets.ts';
import type { Payload } from './delivery.ts';
import type { BatchSettings, knownSettings } from './known-settings.ts';
import type { SlowTargets, slowTargets } from './slow-targets.ts';

/** What the delivery of a batch of notifications works with. */
export interface DeliveryContext {
  deliveries: DeliveryStore;
  targets: TargetStore;
  settings: BatchSettings;
  slowTargets: SlowTargets;
  queue: NotificationQueue;
  sender: Sender;
  readPayload: (payload: Payload) => Promise<string>;
  /** Seconds between attempts. */
  schedule: readonly number[];
  /** For one attempt in all. */
  timeoutMs: number;
  now: Clock;
  random: () => number;
}

/** What a consumer process works with, batch after batch. */
export interface ConsumerContext extends Omit<DeliveryContext, 'settings' | 'slowTargets'> {
  settings: ReturnType<typeof knownSettings>;
  slowTargets: ReturnType<typeof slowTargets>;
}
