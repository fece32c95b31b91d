import { notificationQueue } from '#shared/adapters/sqs/notification-queue.ts';
import { queueClient } from '#shared/adapters/sqs/queue-client.ts';
import { resource, text } from '../resource.ts';

export const queue = /* @__PURE__ */ resource(
  'queue',
  { QUEUE_URL: text, SLOW_QUEUE_URL: text },
  ({ QUEUE_URL, SLOW_QUEUE_URL }, connectTo) =>
    notificationQueue({ queue: QUEUE_URL, slowQueue: SLOW_QUEUE_URL }, queueClient(connectTo('sqs'))),
);
