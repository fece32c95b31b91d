import { notificationQueue } from '#shared/adapters/sqs/notification-queue.ts';
import { resource, text } from '../resource.ts';

export const queue = resource('queue', { QUEUE_URL: text }, ({ QUEUE_URL }) => notificationQueue(QUEUE_URL));
