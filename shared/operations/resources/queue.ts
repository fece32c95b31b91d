import { queueClient } from '#shared/aws/queue-client.ts';
import { notificationQueue } from '#shared/delivery/notification-queue-store.ts';
import { resource, text } from '#shared/operations/resource.ts';

export const queue = /* @__PURE__ */ resource('queue', { QUEUE_URL: text }, ({ QUEUE_URL }, connectTo) =>
  notificationQueue(QUEUE_URL, queueClient(connectTo('sqs'))),
);
