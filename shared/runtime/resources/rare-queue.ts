import { lazy } from '#shared/base/lazy.ts';
import type { NotificationQueue } from '#shared/domain/deliveries/notification-queue.ts';
import { resource, text } from '../resource.ts';

/** The queue, for functions that rarely send to it. The SQS client loads on first use. */
export const rareQueue = resource(
  'queue',
  { QUEUE_URL: text, SLOW_QUEUE_URL: text },
  ({ QUEUE_URL, SLOW_QUEUE_URL }): NotificationQueue => {
    const open = lazy(async () => {
      const { notificationQueue } = await import('#shared/adapters/sqs/queue-on-demand.ts');
      return notificationQueue({ queue: QUEUE_URL, slowQueue: SLOW_QUEUE_URL });
    });
    return { send: async (entries) => (await open()).send(entries) };
  },
);
