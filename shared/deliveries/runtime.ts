import type { Clock } from '../clock.ts';
import { requiredEnv } from '../env.ts';
import { newId } from '../ids.ts';
import { cached } from '../lazy.ts';
import { outgoingSender } from '../outgoing/runtime.ts';
import { notificationQueue } from '../queue/notification-queue.ts';
import { blobStore } from '../storage/blobs.ts';
import { deliveryStore } from '../storage/deliveries.ts';
import { payloadStore } from '../storage/payloads.ts';
import { openTable } from '../storage/table.ts';
import { type DeliverySettings, targetStore } from '../storage/targets.ts';
import type { DeliveryContext } from './context.ts';
import { parseSchedule } from './schedule.ts';

/** How old the settings of a number may be when its notifications are sent, and of how many numbers they are kept. */
const settingsKeptMs = 1_000;
const mostSettings = 500;

/** The delivery of a deployed function, by its environment. */
export function deliveryRuntime(): DeliveryContext {
  const now = Date.now;
  const table = openTable(requiredEnv('TABLE_NAME'));
  const targets = targetStore(table);
  return {
    deliveries: deliveryStore(table),
    targets,
    settingsOf: recentSettings(targets.read, now),
    queue: notificationQueue(requiredEnv('QUEUE_URL')),
    sender: outgoingSender(),
    readPayload: payloadStore(blobStore(requiredEnv('BUCKET_NAME'))).read,
    schedule: parseSchedule(process.env.DELIVERY_RETRY_SCHEDULE),
    timeoutMs: Number(requiredEnv('DELIVERY_TIMEOUT_MS')),
    holder: newId(),
    now,
    random: Math.random,
  };
}

function recentSettings(read: (number: string) => Promise<DeliverySettings | undefined>, now: Clock) {
  const readers = new Map<string, () => Promise<DeliverySettings | undefined>>();
  return (number: string) => {
    if (readers.size > mostSettings) readers.clear();
    const reader = readers.get(number) ?? cached(() => read(number), settingsKeptMs, now);
    readers.set(number, reader);
    return reader();
  };
}
