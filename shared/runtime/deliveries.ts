import { deliveryStore } from '#shared/adapters/dynamodb/deliveries.ts';
import { openTable } from '#shared/adapters/dynamodb/table.ts';
import { targetStore } from '#shared/adapters/dynamodb/targets.ts';
import { blobStore } from '#shared/adapters/s3/blobs.ts';
import { payloadStore } from '#shared/adapters/s3/payloads.ts';
import { notificationQueue } from '#shared/adapters/sqs/notification-queue.ts';
import type { ConsumerContext } from '#shared/domain/deliveries/context.ts';
import { knownSettings } from '#shared/domain/deliveries/known-settings.ts';
import { parseSchedule } from '#shared/domain/deliveries/schedule.ts';
import { slowTargets } from '#shared/domain/deliveries/slow-targets.ts';
import { outgoingSender } from './egress.ts';
import { requiredEnv } from './env.ts';

/** The delivery of a deployed function, by its environment. */
export function deliveryRuntime(): ConsumerContext {
  const now = Date.now;
  const table = openTable(requiredEnv('TABLE_NAME'));
  const targets = targetStore(table);
  return {
    deliveries: deliveryStore(table),
    targets,
    settings: knownSettings(targets.read, now),
    slowTargets: slowTargets(now),
    queue: notificationQueue(requiredEnv('QUEUE_URL')),
    sender: outgoingSender(),
    readPayload: payloadStore(blobStore(requiredEnv('BUCKET_NAME'))).read,
    schedule: parseSchedule(process.env.DELIVERY_RETRY_SCHEDULE),
    timeoutMs: Number(requiredEnv('DELIVERY_TIMEOUT_MS')),
    now,
    random: Math.random,
  };
}
