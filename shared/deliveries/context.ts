import type { Clock } from '../clock.ts';
import type { Sender } from '../outgoing/send.ts';
import type { NotificationQueue } from '../queue/notification-queue.ts';
import type { DeliveryStore } from '../storage/deliveries.ts';
import type { DeliverySettings, TargetStore } from '../storage/targets.ts';
import type { Payload } from './delivery.ts';

/** What the delivery of notifications works with. */
export interface DeliveryContext {
  deliveries: DeliveryStore;
  targets: TargetStore;
  /** The number's settings, as they were not long ago; what deliveries learn of its breakers is noted in them. */
  settingsOf: (number: string) => Promise<DeliverySettings | undefined>;
  queue: NotificationQueue;
  sender: Sender;
  readPayload: (payload: Payload) => Promise<string>;
  /** Seconds between attempts. */
  schedule: readonly number[];
  /** For one attempt in all. */
  timeoutMs: number;
  /** Who claims: the id of this run. */
  holder: string;
  now: Clock;
  random: () => number;
}
