import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { QueueClient } from '../sqs/queue-client.ts';

/** Counts the messages of a dead-letter queue, about. */
export async function countDeadLetters(QueueUrl: string, client: Pick<QueueClient, 'send'>): Promise<number> {
  const AttributeNames = ['ApproximateNumberOfMessages' as const];
  const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
  return Number(Attributes?.ApproximateNumberOfMessages ?? Number.NaN);
}
