import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { type Connection, clientConfig } from '#shared/aws/connection.ts';
import { isNamed } from '#shared/webhooks/subscriber.ts';
import { longestDelaySeconds } from './delivery.ts';
import type { QueueEntry, QueueMessage } from './notification.ts';

export type NotificationQueue = ReturnType<typeof notificationQueue>;

/** The limits of one SendMessageBatch. The limit in bytes leaves some room for the rest of the request. */
const maxEntries = 10;
const maxBatchBytes = 1_000_000;

/** The number of batches that are sent in parallel. */
const batchesInFlight = 8;

/**
 * A group of the fair queue: the attempts at a slow receiver let those of other groups go first. A target with a name of
 * its own is somebody's app, and has one to itself.
 */
const groupOf = ({ subscriber, target }: QueueMessage) => (isNamed(target) ? `${subscriber}/${target}` : subscriber);

/** The queue of notifications, which is fair between its groups. */
export function notificationQueue(QueueUrl: string, client: Pick<QueueClient, 'send'>) {
  async function sendBatch(batch: readonly BatchEntry[]): Promise<void> {
    const { Failed = [] } = await client.send(
      new SendMessageBatchCommand({
        QueueUrl,
        Entries: batch.map(({ body, message, delaySeconds }, index) => ({
          Id: String(index),
          MessageBody: body,
          MessageGroupId: groupOf(message),
          ...(delaySeconds !== undefined && {
            DelaySeconds: Math.min(Math.max(Math.round(delaySeconds), 0), longestDelaySeconds),
          }),
        })),
      }),
    );
    if (Failed.length > 0) throw new Error(`The queue did not take ${Failed.length} messages: ${Failed[0]?.Code}`);
  }

  return {
    /** Resolves when the queue has all of them. */
    async send(entries: readonly QueueEntry[]): Promise<void> {
      const batches = inBatches(entries);
      const next = batches.values();
      const worker = async () => {
        for (const batch of next) await sendBatch(batch);
      };
      await Promise.all(Array.from({ length: Math.min(batchesInFlight, batches.length) }, worker));
    },
  };
}

/** A message as Lambda passes it on, too. */
export type ReceivedMessage = Pick<SQSRecord, 'messageId' | 'body' | 'receiptHandle'>;

export type NotificationSource = ReturnType<typeof notificationSource>;

/** How long a receive waits for a first message. */
const longestPollSeconds = 1;

/** What waits in the queue, for a process that takes it without Lambda. */
export const notificationSource = (QueueUrl: string, client: Pick<QueueClient, 'send'>) => ({
  /** Takes up to ten messages, or none if none comes within a second. */
  async receive(): Promise<ReceivedMessage[]> {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: maxEntries, WaitTimeSeconds: longestPollSeconds }),
    );
    return Messages.map(({ MessageId = '', Body = '', ReceiptHandle = '' }) => ({
      messageId: MessageId,
      body: Body,
      receiptHandle: ReceiptHandle,
    }));
  },

  /** Deletes messages. If one could not be deleted, it is received again, and dropped as a repeat. */
  async delete(handled: readonly ReceivedMessage[]): Promise<void> {
    const Entries = handled.map(({ receiptHandle }, index) => ({ Id: String(index), ReceiptHandle: receiptHandle }));
    if (Entries.length > 0) await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  },
});

type BatchEntry = QueueEntry & { body: string };

/**
 * Converts the message to JSON and escapes the two characters that JSON permits unescaped and SQS rejects (U+FFFE,
 * U+FFFF).
 */
function messageText(message: QueueMessage): string {
  return JSON.stringify(message).replace(
    /[\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
}

function inBatches(entries: readonly QueueEntry[]): BatchEntry[][] {
  const batches: BatchEntry[][] = [];
  let bytes = 0;
  for (const queued of entries) {
    const entry = { ...queued, body: messageText(queued.message) };
    const size = Buffer.byteLength(entry.body);
    const batch = batches.at(-1);
    if (batch && batch.length < maxEntries && bytes + size <= maxBatchBytes) {
      batch.push(entry);
      bytes += size;
    } else {
      batches.push([entry]);
      bytes = size;
    }
  }
  return batches;
}

export type QueueClient = Pick<SQSClient, 'send' | 'destroy'>;

/**
 * Creates a client that makes at most three attempts of 5 s each. TLS checks what SQS received; MD5 would do it again.
 */
export const queueClient = (connection: Connection): QueueClient =>
  new SQSClient({ ...clientConfig(connection, 5_000), useQueueUrlAsEndpoint: false, md5: false });

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
