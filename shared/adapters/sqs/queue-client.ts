import type { SendMessageBatchCommandInput, SendMessageBatchCommandOutput } from '@aws-sdk/client-sqs';
import type { Connection } from '../aws/connection.ts';
import { type JsonClient, jsonClient } from '../aws/json-client.ts';

export type QueueClient = JsonClient<{
  SendMessageBatch: { input: SendMessageBatchCommandInput; output: Omit<SendMessageBatchCommandOutput, '$metadata'> };
}>;

/** Creates a client that makes at most three attempts of 5 s each. */
export function queueClient(connection: Connection): QueueClient {
  return jsonClient({ service: 'sqs', target: 'AmazonSQS', version: '1.0', timeoutMs: 5_000 }, connection);
}
