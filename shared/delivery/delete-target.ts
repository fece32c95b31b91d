import { newId } from '#shared/base/ids.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import {
  existingNamedTarget,
  existingSettings,
  isBuiltIn,
  type Subscriber,
  targetNotFound,
} from '#shared/webhooks/subscriber.ts';
import type { TargetStore } from '#shared/webhooks/subscriber-store.ts';
import type { NotificationQueue } from './notification-queue-store.ts';

/** By then, the request that deletes the target is over. */
const discardAfterSeconds = 30;

export interface DeletionContext {
  targets: Pick<TargetStore, 'read' | 'deleteTarget'>;
  queue: NotificationQueue;
}

/** Deletes a target with a name of its own. What waits for it is discarded when its time comes, and never sent. */
export async function deleteTarget(subscriber: Subscriber, name: string, context: DeletionContext): Promise<void> {
  if (isBuiltIn(name)) throw new ServiceError('target.built-in', { values: { target: name } });
  const settings = await existingSettings(subscriber, context.targets);
  const target = existingNamedTarget(settings, name);
  // What is held has no time, so a drain of the deleted target ends it. It is sent first, in case this process dies.
  const message = { task: 'drain', subscriber: subscriber.id, target, token: newId() } as const;
  await context.queue.send([{ message, delaySeconds: discardAfterSeconds }]);
  if (!(await context.targets.deleteTarget(subscriber.id, target))) throw targetNotFound([]);
}
