import { join } from 'node:path';
import { accountId, defaultRegion } from '../base/account.ts';
import { serveAwsJson } from '../base/aws-json.ts';
import type { Authorize } from '../base/signatures/aws-access.ts';
import type { Signers } from '../base/signatures/signature-v4.ts';
import { type QueueRegistry, sqsOperations } from './operations.ts';
import { Queue } from './queue/queue.ts';
import { type QueueAttributes, withDefaults } from './queue-attributes.ts';

export interface SqsOptions {
  /** Without it, a free port is used. */
  port?: number;
  /** The folder of the messages. Without it, they are kept in memory only. */
  dataDir?: string;
  region?: string;
  signers: Signers;
  /** How many servers share the messages of a queue. */
  servers?: number | undefined;
  /** The clock, in milliseconds since 1970. */
  now?: () => number;
  authorize?: Authorize;
}

export interface SqsServer {
  url: string;
  /** Creates the queue, or sets these attributes on an existing one. Throws `AwsError` for what SQS rejects. */
  createQueue(name: string, attributes?: QueueAttributes): Queue;
  queue(name: string): Queue | undefined;
  queueUrl(name: string): string;
  close(): Promise<void>;
}

/** The error codes for clients of the former query protocol, where they differ. */
const queryErrorCodes = {
  BatchEntryIdsNotDistinct: 'AWS.SimpleQueueService.BatchEntryIdsNotDistinct',
  BatchRequestTooLong: 'AWS.SimpleQueueService.BatchRequestTooLong',
  EmptyBatchRequest: 'AWS.SimpleQueueService.EmptyBatchRequest',
  QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue',
  TooManyEntriesInBatchRequest: 'AWS.SimpleQueueService.TooManyEntriesInBatchRequest',
};

/** The standard queues of Amazon SQS, for the AWS SDK (AWS JSON 1.0). */
export async function startSqs(options: SqsOptions): Promise<SqsServer> {
  const { region = defaultRegion, now = Date.now, dataDir, servers } = options;
  const queues = new Map<string, Queue>();
  const attributesOf = new Map<Queue, QueueAttributes>();

  const registry: QueueRegistry = {
    find: (name) => queues.get(name),
    withArn: (arn) => [...queues.values()].find((queue) => queue.arn === arn),
    describe(queue) {
      const { visible, delayed, inFlight } = queue.counts();
      return {
        ...withDefaults(attributesOf.get(queue) ?? {}),
        QueueArn: queue.arn,
        ApproximateNumberOfMessages: String(visible),
        ApproximateNumberOfMessagesDelayed: String(delayed),
        ApproximateNumberOfMessagesNotVisible: String(inFlight),
      };
    },
    modify(queue, changes) {
      put(queue.name, { ...attributesOf.get(queue), ...changes });
    },
  };

  function put(name: string, attributes: QueueAttributes): Queue {
    const existing = queues.get(name);
    existing?.configure(attributes);
    const queue = existing ?? open(name, attributes);
    attributesOf.set(queue, attributes);
    return queue;
  }

  function open(name: string, attributes: QueueAttributes): Queue {
    const queue = new Queue({
      ...{ name, attributes, now, servers, findQueue: registry.withArn },
      arn: `arn:aws:sqs:${region}:${accountId}:${name}`,
      file: dataDir && join(dataDir, `${name}.jsonl`),
    });
    queues.set(name, queue);
    return queue;
  }

  const { url, close } = await serveAwsJson(
    {
      version: '1.0',
      target: 'AmazonSQS',
      namespace: 'com.amazonaws.sqs',
      iamPrefix: 'sqs',
      signatureWindowMinutes: 15,
      signatureStatus: 403,
      accessDenied: { code: 'AccessDenied', status: 403 },
      queryErrorCodes,
      operations: sqsOperations(registry, now),
    },
    { ...options, region },
  );
  return {
    url,
    createQueue: (name, attributes = {}) => put(name, attributes),
    queue: (name) => queues.get(name),
    queueUrl: (name) => `${url}/${accountId}/${name}`,
    async close() {
      for (const queue of queues.values()) queue.stop();
      await close();
      for (const queue of queues.values()) queue.close();
    },
  };
}
