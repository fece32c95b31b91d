import { type Duration, Validations } from 'aws-cdk-lib';
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { pinLogicalId } from './pin-logical-id.ts';

export interface NotificationFeedProps {
  deliverNotifications: IFunction;
  queue: IQueue;
  /** How many batches run at once at most. */
  concurrency: number;
  /** How long a batch waits for more messages. */
  batchingWindow?: Duration;
}

/** Passes the messages of a queue to `deliver-notifications`. Lambda receives them with that function's role. */
export class NotificationFeed extends EventSourceMapping {
  constructor(
    scope: Construct,
    id: string,
    { deliverNotifications, queue, concurrency, batchingWindow }: NotificationFeedProps,
  ) {
    super(scope, id, {
      target: deliverNotifications,
      eventSourceArn: queue.queueArn,
      batchSize: 10,
      maxConcurrency: concurrency,
      ...(batchingWindow && { maxBatchingWindow: batchingWindow }),
      reportBatchItemFailures: true,
    });
    // CloudFormation would create a mapping with a new id before it deletes the old one, but Lambda rejects a second
    // mapping for the same queue and function.
    pinLogicalId(this, id);
    queue.grant(deliverNotifications, 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes');
    const reason = 'What it fails to handle stays in the queue, and goes to the dead-letter queue in the end.';
    Validations.of(this).acknowledge({ id: 'Serverless-LambdaEventSourceMappingDestination', reason });
    Validations.of(deliverNotifications).acknowledge({ id: 'Serverless-LambdaDLQ', reason });
  }
}
