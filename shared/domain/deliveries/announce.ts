import { type Clock, timestamp } from '#shared/base/time/clock.ts';
import type { ServiceEvent } from '../accounts/service-event.ts';
import type { TargetStore } from '../subscribers/target-store.ts';
import { firstAttempts } from './first-attempts.ts';
import type { NotificationQueue } from './notification-queue.ts';

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
