// A module of its own, so that functions that rarely use the queue load it with the SQS client when they do.
export { notificationQueue } from './notification-queue.ts';
