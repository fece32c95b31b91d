import type { MessageSource } from '../sqs/queue/message.ts';
import type { QueueAttributes } from '../sqs/queue-attributes.ts';
import { readQueues } from '../template/queues.ts';
import type { Stack } from './stack.ts';

/** What a stack needs of SQS. */
export interface QueueService {
  url: string;
  /** Creates the queue, or sets these attributes on an existing one. */
  createQueue(name: string, attributes: QueueAttributes): unknown;
  queue(name: string): MessageSource | undefined;
  queueUrl(name: string): string;
}

/** Creates the template's queues. Returns their URLs by logical id. */
export async function createQueues(stack: Stack, sqs: QueueService): Promise<Record<string, string>> {
  const queues = readQueues(stack.template, stack.resolve);
  for (const { name, attributes } of queues) await sqs.createQueue(name, attributes);
  const urls = Object.fromEntries(queues.map(({ logicalId, name }) => [logicalId, sqs.queueUrl(name)]));
  for (const [logicalId, url] of Object.entries(urls)) stack.setReference(logicalId, url);
  return urls;
}
