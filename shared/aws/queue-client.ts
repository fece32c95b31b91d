import { SQSClient } from '@aws-sdk/client-sqs';
import { clientConfig } from './client-config.ts';
import type { Connection } from './connection.ts';

export type QueueClient = Pick<SQSClient, 'send' | 'destroy'>;

/**
 * Creates a client that makes at most three attempts of 5 s each. TLS checks what SQS received; MD5 would do it again.
 */
export const queueClient = (connection: Connection): QueueClient =>
  new SQSClient({ ...clientConfig(connection, 5_000), useQueueUrlAsEndpoint: false, md5: false });
