import { presentRequest } from '#shared/base/logger.ts';
import { type Clock, timestamp } from '#shared/base/time.ts';
import { wants } from '#shared/webhooks/event-names.ts';
import type { ServiceEvent } from '#shared/webhooks/service-event.ts';
import type { Target } from '#shared/webhooks/target.ts';
import type { DeliverySettings, TargetStore } from '#shared/webhooks/target-store.ts';
import { deliveryId, type NotificationKind } from './delivery.ts';
import type { FirstAttempt } from './notification.ts';
import type { NotificationQueue } from './notification-queue-store.ts';
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
  /** When the event arrived, in epoch milliseconds. */
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
        return {
          task: 'deliver',
          subscriber,
          target,
          id,
          kind,
          payload,
          created_at: arrivedAt,
          target_version,
          ...(request !== undefined && { request }),
        };
      }),
  );
}

export interface AnnouncementContext {
  targets: Pick<TargetStore, 'read'>;
  queue: NotificationQueue;
  now: Clock;
}

/** Queues an event for the webhook of its workspace, if that has one. A repeat of the event gets the same id. */
export async function announce(
  { workspace, type, at, subject, data }: ServiceEvent,
  { targets, queue, now }: AnnouncementContext,
): Promise<void> {
  const arrivedAt = now();
  const settings = await targets.read(workspace);
  if (!settings) return;
  const text = JSON.stringify({ type, timestamp: timestamp(at), data });
  const notification = { kind: 'service', name: type, key: `${type}:${subject}`, timestampMs: at, text } as const;
  const payloads = { keep: async () => ({ text }) };
  const messages = await firstAttempts(notification, settings, ['webhook'], { payloads, arrivedAt });
  if (messages.length > 0) await queue.send(messages.map((message) => ({ message })));
}
