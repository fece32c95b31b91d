import type { DeliveryStore } from '#shared/adapters/dynamodb/deliveries.ts';
import type { TargetStore } from '#shared/adapters/dynamodb/targets.ts';
import type { Sender } from '#shared/adapters/egress/send.ts';
import type { NotificationQueue } from '#shared/adapters/sqs/notification-queue.ts';
import type { Clock } from '#shared/base/clock.ts';
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
