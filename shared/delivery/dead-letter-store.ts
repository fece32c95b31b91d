import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { Connection } from '#shared/aws/connection.ts';
import { queueClient } from '#shared/aws/queue-client.ts';

export interface DeadLetters {
  /** About how many there are. */
  count: number;
  queueArn: string;
}

/** Counts the messages in the queue of dead letters. */
export async function readDeadLetters(queueUrl: string, connection: Connection): Promise<DeadLetters> {
  const client = queueClient(connection);
  try {
    const { Attributes = {} } = await client.send(
      new GetQueueAttributesCommand({
        QueueUrl: queueUrl,
        AttributeNames: ['ApproximateNumberOfMessages', 'QueueArn'],
      }),
    );
    return { count: Number(Attributes.ApproximateNumberOfMessages ?? 0), queueArn: Attributes.QueueArn ?? '' };
  } finally {
    client.destroy();
  }
}
