import * as z from 'zod/mini';
import { accountId } from '../base/account.ts';
import type { AwsCall } from '../base/aws-json.ts';
import type { Queue } from './queue.ts';
import type { QueueRegistry } from './queue-registry.ts';

export const queueMembers = { QueueUrl: z.string() };

/** The queue of a QueueUrl, if the caller may use it; else throws `AwsError`. */
export type QueueAt = (queueUrl: string, call: AwsCall) => Queue;

const queuePathPattern = new RegExp(`/${accountId}/([\\w-]+)/?$`);

export function queuesOf(registry: QueueRegistry): QueueAt {
  return (queueUrl, call) => {
    const queue = registry.named(queuePathPattern.exec(queueUrl)?.[1] ?? '');
    call.demandAccess(queue.arn);
    return queue;
  };
}
