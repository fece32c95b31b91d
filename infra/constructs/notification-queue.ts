import { Duration, Validations } from 'aws-cdk-lib';
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { type IQueue, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { deliverNotifications } from '#functions/deliveries/contracts.ts';
import type { Config } from '../config.ts';
import { pinLogicalId } from './pin-logical-id.ts';

/** What SQS allows at most; its default has changed over time. Larger payloads are in the bucket. */
const largestMessageBytes = 1024 * 1024;

/**
 * The queue of notifications for webhooks, and a dead-letter queue for those that the service failed to handle because
 * of a fault of its own. A webhook's failures never lead to dead letters.
 */
export class NotificationQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;

  constructor(scope: Construct, id: string, { removalPolicy }: Config) {
    super(scope, id);
    const common: QueueProps = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, removalPolicy };
    // A message keeps its original send time when it moves here, so this retention leaves days to examine it.
    this.deadLetterQueue = new Queue(this, 'DeadLetterQueue', {
      ...common,
      maxMessageSizeBytes: largestMessageBytes,
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, 'Queue', {
      ...common,
      maxMessageSizeBytes: largestMessageBytes,
      retentionPeriod: Duration.days(4),
      receiveMessageWaitTime: Duration.seconds(20),
      // Lambda advises six times the timeout of the function.
      visibilityTimeout: Duration.seconds(6 * deliverNotifications.timeoutSeconds),
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount: 20 },
    });
    pinLogicalId(this.queue, id);
    pinLogicalId(this.deadLetterQueue, `${id}DeadLetters`);
    Validations.of(this.deadLetterQueue).acknowledge({
      id: 'Serverless-SQSRedrivePolicy',
      reason: 'It is a terminal queue, which an alarm watches.',
    });
  }
}

/** Passes the messages of the queue to `deliver-notifications`. Lambda receives them with that function's role. */
export class NotificationFeed extends EventSourceMapping {
  constructor(scope: Construct, id: string, queue: IQueue, deliverNotifications: IFunction, { limits }: Config) {
    super(scope, id, {
      target: deliverNotifications,
      eventSourceArn: queue.queueArn,
      batchSize: 10,
      maxConcurrency: limits.deliveries.concurrency,
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
