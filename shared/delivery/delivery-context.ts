import type { Clock } from '#shared/base/time.ts';
import type { Sender } from '#shared/egress/post.ts';
import type { Breaker } from '#shared/webhooks/breaker.ts';
import type { BreakerStore } from '#shared/webhooks/breaker-store.ts';
import type { Target } from '#shared/webhooks/subscriber.ts';
import type { SecretsReader, TargetStore } from '#shared/webhooks/subscriber-store.ts';
import type { Payload } from './delivery.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { NotificationQueue } from './notification-queue-store.ts';

/** What a delivery process keeps from batch to batch. */
export interface ProcessContext {
  deliveries: DeliveryStore;
  targets: TargetStore;
  breakers: BreakerStore;
  secretsFor: SecretsReader;
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

/** The outcome of an attempt that counts for or against its target. */
export interface Outcome {
  /** The id of the subscriber. */
  subscriber: string;
  target: Target;
  /** Where the attempt went. */
  url: string;
  /** The circuit breaker as the batch has read it. */
  breaker: Breaker;
  /** The id of the delivery. */
  delivery: string;
  isReceived: boolean;
}

/** What a batch of notifications needs to be delivered. */
export interface DeliveryContext extends ProcessContext {
  /** Reads the settings of a subscriber, consistently and once for all messages of the batch. */
  readSettings: TargetStore['read'];
  /** The outcomes of the attempts of the batch, so far. */
  outcomes: Outcome[];
  /** When the batch began, in epoch milliseconds. */
  startedAt: number;
}
