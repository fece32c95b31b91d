import { accountId, defaultRegion } from '../base/account.ts';
import { serveAwsJson } from '../base/aws-json.ts';
import type { Authorize } from '../base/signatures/aws-access.ts';
import type { Signers } from '../base/signatures/signature-v4.ts';
import { messageOperations } from './message-operations.ts';
import { moveTaskOperations } from './move-task-operations.ts';
import { MoveTasks } from './move-tasks.ts';
import type { Queue } from './queue/queue.ts';
import { queuesOf } from './queue-at.ts';
import type { QueueAttributes } from './queue-attributes.ts';
import { queueOperations } from './queue-operations.ts';
import { QueueRegistry } from './queue-registry.ts';
import { queryErrorCodes } from './sqs-errors.ts';

export interface SqsOptions {
  /** Without it, a free port is used. */
  port?: number;
  /** The folder of queues and messages. Without it, they are kept in memory only. */
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

/** The standard queues of Amazon SQS, for the AWS SDK (AWS JSON 1.0). */
export async function startSqs(options: SqsOptions): Promise<SqsServer> {
  const { region = defaultRegion, now = Date.now, dataDir, servers } = options;
  const registry = new QueueRegistry({ region, now, dataDir, servers });
  const moveTasks = new MoveTasks(now, (arn) => registry.withArn(arn));
  const queueAt = queuesOf(registry);
  const queueUrl = (name: string) => `${server.url}/${accountId}/${name}`;
  const server = await serveAwsJson(
    {
      version: '1.0',
      target: 'AmazonSQS',
      namespace: 'com.amazonaws.sqs',
      iamPrefix: 'sqs',
      signatureWindowMinutes: 15,
      signatureStatus: 403,
      accessDenied: { code: 'AccessDenied', status: 403 },
      queryErrorCodes,
      operations: {
        ...messageOperations(queueAt),
        ...queueOperations(registry, queueAt, queueUrl),
        ...moveTaskOperations(registry, moveTasks),
      },
    },
    { ...options, region },
  );
  return {
    url: server.url,
    createQueue: (name, attributes = {}) => registry.put(name, attributes),
    queue: (name) => registry.find(name),
    queueUrl,
    async close() {
      moveTasks.close();
      for (const queue of registry.all()) queue.stop();
      await server.close();
      registry.close();
    },
  };
}
