import type { Clock } from '#shared/base/clock.ts';
import { isNotedAsSlow, type Subscriber, type Target } from '../accounts/subscriber.ts';
import type { NotificationKind } from './delivery.ts';
import { deliveryId } from './delivery-id.ts';
import { wants } from './event-names.ts';
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
  now: Clock;
}

/** Builds the messages that deliver a notification: one for each of these targets that has a URL and wants it. */
export function firstAttempts(
  { kind, name, key, timestampMs, text }: NewNotification,
  subscriber: Subscriber,
  wanted: readonly Target[],
  { payloads, now }: FirstAttemptContext,
): Promise<FirstAttempt[]> {
  const number = subscriber.id;
  return Promise.all(
    wanted
      .filter((target) => subscriber[target] !== undefined && wants(subscriber[`${target}_events`], name))
      .map(async (target): Promise<FirstAttempt> => {
        const id = deliveryId({ number, target, key, timestampMs });
        const payload = await payloads.keep(number, id, text);
        const settings_version = subscriber.settings_version ?? 0;
        const created_at = now();
        const slow = isNotedAsSlow(subscriber, target, created_at) ? ({ slow: true } as const) : {};
        return { do: 'deliver', number, target, id, kind, payload, created_at, settings_version, ...slow };
      }),
  );
}
