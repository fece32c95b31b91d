import { presentRequest } from '#shared/base/log/log-context.ts';
import { wants } from '../subscribers/event-names.ts';
import { isNotedAsSlow, type Target } from '../subscribers/target.ts';
import type { DeliverySettings } from '../subscribers/target-store.ts';
import type { NotificationKind } from './delivery.ts';
import { deliveryId } from './delivery-id.ts';
import type { FirstAttempt } from './message.ts';
import type { PayloadStore } from './payload-store.ts';

/** A notification for a subscriber, which may go to several targets. */
export interface NewNotification {
  kind: NotificationKind;
  /** What the `events` of a target call it. */
  name: string;
  /** The event's identity, the same whenever it arrives. */
  key: string;
  /** When the event happened, in epoch milliseconds. */
  timestampMs: number;
  /** The exact text to send. */
  text: string;
}

export interface FirstAttemptContext {
  payloads: Pick<PayloadStore, 'keep'>;
  /**
   * When the event arrived, in epoch milliseconds: before the subscriber was read, because delivery processes conclude
   * from it how long ago a change of settings may have been missed.
   */
  arrivedAt: number;
}

/** Builds the messages that deliver a notification: one for each of these targets that has a URL and wants it. */
export function firstAttempts(
  { kind, name, key, timestampMs, text }: NewNotification,
  { subscriber: { id: subscriber }, targets }: DeliverySettings,
  wanted: readonly Target[],
  { payloads, arrivedAt }: FirstAttemptContext,
): Promise<FirstAttempt[]> {
  const request = presentRequest();
  return Promise.all(
    wanted
      .filter((target) => targets[target].url !== undefined && wants(targets[target].events, name))
      .map(async (target): Promise<FirstAttempt> => {
        const id = deliveryId({ subscriber, target, key, timestampMs });
        const payload = await payloads.keep(subscriber, id, text);
        const target_version = targets[target].version;
        const slow = isNotedAsSlow(targets[target], arrivedAt) ? ({ slow: true } as const) : {};
        return {
          task: 'deliver',
          subscriber,
          target,
          id,
          kind,
          payload,
          created_at: arrivedAt,
          target_version,
          ...slow,
          ...(request !== undefined && { request }),
        };
      }),
  );
}
