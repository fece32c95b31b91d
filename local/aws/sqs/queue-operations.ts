import * as z from 'zod/mini';
import { type AwsOperation, awsOperation } from '../base/aws-json.ts';
import { checkNames, checkRange } from './message-rules.ts';
import { pick } from './message-wire.ts';
import type { Queue } from './queue/queue.ts';
import { type QueueAt, queueMembers } from './queue-at.ts';
import { queueAttributeNames } from './queue-attributes.ts';
import type { QueueRegistry } from './queue-registry.ts';

const attributesSchema = z.record(z.string(), z.string());
const pageMembers = { MaxResults: z.optional(z.int()), NextToken: z.optional(z.string()) };

/** The operations of the SQS API that create, describe and delete queues. */
export function queueOperations(
  registry: QueueRegistry,
  queueAt: QueueAt,
  queueUrl: (name: string) => string,
): Record<string, AwsOperation> {
  return {
    CreateQueue: awsOperation(
      z.strictObject({ QueueName: z.string(), Attributes: z.optional(attributesSchema) }),
      ({ QueueName, Attributes = {} }, call) => {
        call.demandAccess(registry.arn(QueueName));
        return { QueueUrl: queueUrl(registry.create(QueueName, Attributes).name) };
      },
    ),

    DeleteQueue: awsOperation(z.strictObject(queueMembers), ({ QueueUrl }, call) =>
      registry.delete(queueAt(QueueUrl, call)),
    ),

    PurgeQueue: awsOperation(z.strictObject(queueMembers), ({ QueueUrl }, call) =>
      registry.purge(queueAt(QueueUrl, call)),
    ),

    GetQueueUrl: awsOperation(z.strictObject({ QueueName: z.string() }), ({ QueueName }, call) => {
      call.demandAccess(registry.arn(QueueName));
      return { QueueUrl: queueUrl(registry.named(QueueName).name) };
    }),

    GetQueueAttributes: awsOperation(
      z.strictObject({ ...queueMembers, AttributeNames: z.optional(z.array(z.string())) }),
      ({ QueueUrl, AttributeNames = [] }, call) => {
        const attributes = registry.describe(queueAt(QueueUrl, call));
        checkNames(AttributeNames, queueAttributeNames);
        return { Attributes: pick(attributes, AttributeNames) };
      },
    ),

    SetQueueAttributes: awsOperation(
      z.strictObject({ ...queueMembers, Attributes: attributesSchema }),
      ({ QueueUrl, Attributes }, call) => registry.modify(queueAt(QueueUrl, call), Attributes),
    ),

    ListQueues: awsOperation(
      z.strictObject({ QueueNamePrefix: z.optional(z.string()), ...pageMembers }),
      ({ QueueNamePrefix = '', ...page }, call) => {
        call.demandAccess(registry.arn('*'));
        const queues = registry.all().filter(({ name }) => name.startsWith(QueueNamePrefix));
        return pageOf(queues, page, 'QueueUrls', queueUrl);
      },
    ),

    ListDeadLetterSourceQueues: awsOperation(
      z.strictObject({ ...queueMembers, ...pageMembers }),
      ({ QueueUrl, ...page }, call) => pageOf(registry.sourcesOf(queueAt(QueueUrl, call)), page, 'queueUrls', queueUrl),
    ),
  };
}

interface Page {
  MaxResults?: number | undefined;
  NextToken?: string | undefined;
}

/** The queues after the one that the token names. Without MaxResults, up to 1,000 and no token, as SQS does. */
function pageOf(queues: Queue[], page: Page, member: string, queueUrl: (name: string) => string) {
  checkRange('MaxResults', page.MaxResults, 1, 1000);
  const after = page.NextToken ?? '';
  const rest = queues.filter(({ name }) => name > after);
  const shown = rest.slice(0, page.MaxResults ?? 1000);
  const isLast = page.MaxResults === undefined || shown.length === rest.length;
  return { [member]: shown.map(({ name }) => queueUrl(name)), NextToken: isLast ? undefined : shown.at(-1)?.name };
}
