import { Validations } from 'aws-cdk-lib';
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { pinLogicalId } from './pin-logical-id.ts';

export interface NotificationFeedProps {
  consumer: IFunction;
  queue: IQueue;
  config: Config;
}

/** Hands what stands in the queue to the consumer, and lets Lambda receive it in the consumer's name. */
export class NotificationFeed extends EventSourceMapping {
  constructor(scope: Construct, id: string, { consumer, queue, config }: NotificationFeedProps) {
    super(scope, id, {
      target: consumer,
      eventSourceArn: queue.queueArn,
      batchSize: 10,
      maxConcurrency: config.limits.deliveries.concurrency,
      reportBatchItemFailures: true,
    });
    // Under another id it would be made before the old one goes, which Lambda refuses: one mapping for queue and
    // function.
    pinLogicalId(this, id);
    queue.grant(consumer, 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes');
    const reason = 'What it fails to handle stays in the queue, and goes to the dead-letter queue in the end.';
    Validations.of(this).acknowledge({ id: 'Serverless-LambdaEventSourceMappingDestination', reason });
    Validations.of(consumer).acknowledge({ id: 'Serverless-LambdaDLQ', reason });
  }
}
