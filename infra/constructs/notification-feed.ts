import { type Duration, Validations } from 'aws-cdk-lib';
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { pinLogicalId } from './pin-logical-id.ts';

export interface NotificationFeedProps {
  consumer: IFunction;
  queue: IQueue;
  /** The most batches at once. */
  concurrency: number;
  /** How long a batch waits for more messages. */
  batchingWindow?: Duration;
}

/** Passes the queue's messages to the consumer. Lambda receives them with the consumer's role. */
export class NotificationFeed extends EventSourceMapping {
  constructor(scope: Construct, id: string, { consumer, queue, concurrency, batchingWindow }: NotificationFeedProps) {
    super(scope, id, {
      target: consumer,
      eventSourceArn: queue.queueArn,
      batchSize: 10,
      maxConcurrency: concurrency,
      ...(batchingWindow && { maxBatchingWindow: batchingWindow }),
      reportBatchItemFailures: true,
    });
    // CloudFormation would create a mapping with a new id before it deletes the old one, but Lambda rejects a second
    // mapping for the same queue and function.
    pinLogicalId(this, id);
    queue.grant(consumer, 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes');
    const reason = 'What it fails to handle stays in the queue, and goes to the dead-letter queue in the end.';
    Validations.of(this).acknowledge({ id: 'Serverless-LambdaEventSourceMappingDestination', reason });
    Validations.of(consumer).acknowledge({ id: 'Serverless-LambdaDLQ', reason });
  }
}
