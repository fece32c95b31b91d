import { queueClient } from '#shared/aws/queue-client.ts';
import { notificationQueue } from '#shared/delivery/notification-queue-store.ts';
import { resource, text } from '#shared/operations/resource.ts';

export const queue = /* @__PURE__ */ resource(
  'queue',
  { QUEUE_URL: text, SLOW_QUEUE_URL: text },
  ({ QUEUE_URL, SLOW_QUEUE_URL }, connectTo) =>
    notificationQueue({ queue: QUEUE_URL, slowQueue: SLOW_QUEUE_URL }, queueClient(connectTo('sqs'))),
);
