import type { SqsServer } from '../sqs/server.ts';
import { readQueues } from '../template/queues.ts';
import type { Stack } from './stack.ts';

/** Creates the template's queues. Returns their URLs by logical id. */
export function createQueues(stack: Stack, sqs: SqsServer): Record<string, string> {
  const queues = readQueues(stack.template, stack.resolve);
  for (const { name, attributes } of queues) sqs.createQueue(name, attributes);
  const urls = Object.fromEntries(queues.map(({ logicalId, name }) => [logicalId, sqs.queueUrl(name)]));
  for (const [logicalId, url] of Object.entries(urls)) stack.setReference(logicalId, url);
  return urls;
}
