import * as z from 'zod/mini';
import { accountId } from '../base/account.ts';
import type { AwsCall } from '../base/aws-json.ts';
import type { Queue } from './queue/queue.ts';
import type { QueueRegistry } from './queue-registry.ts';

export const queueMembers = { QueueUrl: z.string() };

/** Finds the queue of a QueueUrl. Throws `AwsError` if there is none, or if the caller may not use it. */
export type QueueAt = (queueUrl: string, call: AwsCall) => Queue;

const queuePathPattern = new RegExp(`/${accountId}/([\\w-]+)/?$`);

export function queuesOf(registry: QueueRegistry): QueueAt {
  return (queueUrl, call) => {
    const queue = registry.named(queuePathPattern.exec(queueUrl)?.[1] ?? '');
    call.demandAccess(queue.arn);
    return queue;
  };
}
