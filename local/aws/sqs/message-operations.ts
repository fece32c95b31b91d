import * as z from 'zod/mini';
import { AwsError } from '../base/aws-error.ts';
import { type AwsOperation, awsOperation } from '../base/aws-json.ts';
import { longestVisibilitySeconds, longestWaitSeconds, maxInBatch } from './limits.ts';
import { checkBatch, checkBatchSize, checkMessage, checkNames, checkRange } from './message-rules.ts';
import { messageMembers, readMessage, writeMessage } from './message-wire.ts';
import { md5OfAttributes } from './queue/message.ts';
import type { NewMessage, Queue } from './queue/queue.ts';
import { type QueueAt, queueMembers } from './queue-at.ts';

const names = z.optional(z.array(z.string()));
const integer = z.optional(z.int());
const handleMembers = { ReceiptHandle: z.string() };

const batchOf = <Shape extends z.core.$ZodLooseShape>(members: Shape) =>
  z.array(z.strictObject({ ...members, Id: z.string() }));

/** What a receiver may ask for. Those of FIFO queues are absent from the messages of a standard queue. */
const messageSystemAttributes: ReadonlySet<string> = new Set([
  'ApproximateFirstReceiveTimestamp',
  'ApproximateReceiveCount',
  'AWSTraceHeader',
  'DeadLetterQueueSourceArn',
  'MessageDeduplicationId',
  'MessageGroupId',
  'SenderId',
  'SentTimestamp',
  'SequenceNumber',
]);

/** The operations of the SQS API that send, receive and delete. */
export function messageOperations(queueAt: QueueAt): Record<string, AwsOperation> {
  return {
    SendMessage: awsOperation(z.strictObject({ ...queueMembers, ...messageMembers }), (input, call) => {
      const queue = queueAt(input.QueueUrl, call);
      return send(queue, readMessage(input, call.accessKeyId));
    }),

    SendMessageBatch: awsOperation(
      z.strictObject({ ...queueMembers, Entries: batchOf(messageMembers) }),
      ({ QueueUrl, Entries }, call) => {
        const queue = queueAt(QueueUrl, call);
        checkBatch(Entries);
        const entries = Entries.map((entry) => ({ Id: entry.Id, message: readMessage(entry, call.accessKeyId) }));
        checkBatchSize(entries.map(({ message }) => message));
        return eachOf(entries, ({ message }) => send(queue, message));
      },
    ),

    ReceiveMessage: awsOperation(
      z.strictObject({
        ...queueMembers,
        MaxNumberOfMessages: integer,
        VisibilityTimeout: integer,
        WaitTimeSeconds: integer,
        AttributeNames: names,
        MessageSystemAttributeNames: names,
        MessageAttributeNames: names,
      }),
      async (input, call) => {
        const queue = queueAt(input.QueueUrl, call);
        checkRange('MaxNumberOfMessages', input.MaxNumberOfMessages, 1, maxInBatch);
        checkRange('VisibilityTimeout', input.VisibilityTimeout, 0, longestVisibilitySeconds);
        checkRange('WaitTimeSeconds', input.WaitTimeSeconds, 0, longestWaitSeconds);
        const system = [...(input.AttributeNames ?? []), ...(input.MessageSystemAttributeNames ?? [])];
        checkNames(system, messageSystemAttributes);
        const messages = await queue.receive({
          maxMessages: input.MaxNumberOfMessages ?? 1,
          waitSeconds: input.WaitTimeSeconds ?? queue.settings.waitSeconds,
          ...(input.VisibilityTimeout !== undefined && { visibilityTimeoutSeconds: input.VisibilityTimeout }),
          signal: call.signal,
        });
        if (messages.length === 0) return {};
        return {
          Messages: messages.map((message) => writeMessage(message, system, input.MessageAttributeNames ?? [])),
        };
      },
    ),

    DeleteMessage: awsOperation(z.strictObject({ ...queueMembers, ...handleMembers }), (input, call) =>
      queueAt(input.QueueUrl, call).delete(input.ReceiptHandle),
    ),

    DeleteMessageBatch: awsOperation(
      z.strictObject({ ...queueMembers, Entries: batchOf(handleMembers) }),
      ({ QueueUrl, Entries }, call) => {
        const queue = queueAt(QueueUrl, call);
        checkBatch(Entries);
        return eachOf(Entries, ({ ReceiptHandle }) => queue.delete(ReceiptHandle));
      },
    ),
  };
}

function send(queue: Queue, message: NewMessage) {
  checkMessage(message, queue.settings);
  const { messageId, md5OfBody } = queue.send(message);
  return {
    MessageId: messageId,
    MD5OfMessageBody: md5OfBody,
    MD5OfMessageAttributes: md5OfAttributes(message.messageAttributes ?? {}),
  };
}

/** Runs a batch entry by entry. An entry that fails does not stop the others. */
function eachOf<Entry extends { Id: string }>(entries: Entry[], run: (entry: Entry) => unknown) {
  const successful: object[] = [];
  const failed: object[] = [];
  for (const entry of entries) {
    try {
      successful.push(Object.assign({ Id: entry.Id }, run(entry)));
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      failed.push({ Id: entry.Id, Code: error.code, Message: error.message, SenderFault: error.status < 500 });
    }
  }
  return { Successful: successful, Failed: failed };
}
