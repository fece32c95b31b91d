import { requiredEnv } from '../env.ts';
import { outgoingSender } from '../outgoing/runtime.ts';
import { notificationQueue } from '../queue/notification-queue.ts';
import { blobStore } from '../storage/blobs.ts';
import { deliveryStore } from '../storage/deliveries.ts';
import { payloadStore } from '../storage/payloads.ts';
import { openTable } from '../storage/table.ts';
import { targetStore } from '../storage/targets.ts';
import type { ConsumerContext } from './context.ts';
import { knownSettings } from './known-settings.ts';
import { parseSchedule } from './schedule.ts';
import { slowTargets } from './slow-targets.ts';

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
