import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { accountId } from '../base/account.ts';
import { AwsError } from '../base/aws-error.ts';
import { type AwsCall, type AwsOperation, awsOperation } from '../base/aws-json.ts';
import { longestWaitSeconds, maxInBatch, type ReceivedMessage } from './queue/message.ts';
import { md5, type Queue, queueDoesNotExist } from './queue/queue.ts';
import type { QueueAttributes } from './queue-attributes.ts';

/** The queues with their attributes. */
export interface QueueRegistry {
  find(name: string): Queue | undefined;
  withArn(arn: string): Queue | undefined;
  /** All attributes of a queue, including the counts. */
  describe(queue: Queue): QueueAttributes;
  modify(queue: Queue, changes: QueueAttributes): void;
}

/** How the messages of a dead-letter queue went back to the queues that they came from. */
interface MoveTask {
  handle: string;
  status: 'COMPLETED' | 'FAILED';
  toMove: number;
  moved: number;
  startedAt: number;
  failureReason?: string;
}

const longestDelaySeconds = 900;
/** The limit for one message, and also for all messages of a batch together. */
const largestMessageBytes = 1_048_576;
// SQS allows the characters that XML 1.0 allows.
const forbiddenCharacter = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;
const queuePathPattern = new RegExp(`/${accountId}/([\\w-]+)/?$`);

const queueMembers = { QueueUrl: z.string() };
const names = z.optional(z.array(z.string()));
const integer = (min: number, max: number) => z.optional(z.int().check(z.gte(min), z.lte(max)));
const messageMembers = {
  MessageBody: z.string(),
  DelaySeconds: z.optional(z.int()),
  MessageGroupId: z.optional(z.string()),
};
const batchEntries = z.array(z.strictObject({ ...messageMembers, Id: z.string() }));

const messageSchema = z.object(messageMembers);
type MessageInput = z.infer<typeof messageSchema>;

/** The operations of the SQS API. */
export function sqsOperations(registry: QueueRegistry, now: () => number): Record<string, AwsOperation> {
  const moveTasks = new Map<Queue, MoveTask>();

  function queueAt(queueUrl: string, call: AwsCall): Queue {
    const queue = registry.find(queuePathPattern.exec(queueUrl)?.[1] ?? '');
    if (queue === undefined) throw queueDoesNotExist();
    call.demandAccess(queue.arn);
    return queue;
  }

  function queueWithArn(arn: string, call: AwsCall): Queue {
    call.demandAccess(arn);
    const queue = registry.withArn(arn);
    if (queue) return queue;
    throw new AwsError('ResourceNotFoundException', `There is no queue ${arn}.`, 404);
  }

  return {
    SendMessage: awsOperation(z.strictObject({ ...queueMembers, ...messageMembers }), ({ QueueUrl, ...input }, call) =>
      send(queueAt(QueueUrl, call), input),
    ),

    SendMessageBatch: awsOperation(
      z.strictObject({ ...queueMembers, Entries: batchEntries }),
      ({ QueueUrl, Entries }, call) => {
        const queue = queueAt(QueueUrl, call);
        checkBatch(Entries);
        if (Entries.reduce((sum, { MessageBody }) => sum + Buffer.byteLength(MessageBody), 0) > largestMessageBytes) {
          throw new AwsError('BatchRequestTooLong', `A batch has at most ${largestMessageBytes} bytes.`);
        }
        return eachOf(Entries, (entry) => send(queue, entry));
      },
    ),

    ReceiveMessage: awsOperation(
      z.strictObject({
        ...queueMembers,
        MaxNumberOfMessages: integer(1, maxInBatch),
        VisibilityTimeout: integer(0, 43_200),
        WaitTimeSeconds: integer(0, longestWaitSeconds),
        AttributeNames: names,
        MessageSystemAttributeNames: names,
        MessageAttributeNames: names,
      }),
      async (input, call) => {
        const queue = queueAt(input.QueueUrl, call);
        const messages = await queue.receive({
          maxMessages: input.MaxNumberOfMessages ?? 1,
          waitSeconds: input.WaitTimeSeconds ?? queue.settings.waitSeconds,
          visibilityTimeoutSeconds: input.VisibilityTimeout,
          signal: call.signal,
        });
        const wanted = [...(input.AttributeNames ?? []), ...(input.MessageSystemAttributeNames ?? [])];
        return messages.length === 0 ? {} : { Messages: messages.map((message) => writeMessage(message, wanted)) };
      },
    ),

    DeleteMessage: awsOperation(z.strictObject({ ...queueMembers, ReceiptHandle: z.string() }), (input, call) =>
      queueAt(input.QueueUrl, call).delete(input.ReceiptHandle),
    ),

    DeleteMessageBatch: awsOperation(
      z.strictObject({
        ...queueMembers,
        Entries: z.array(z.strictObject({ Id: z.string(), ReceiptHandle: z.string() })),
      }),
      ({ QueueUrl, Entries }, call) => {
        const queue = queueAt(QueueUrl, call);
        checkBatch(Entries);
        return eachOf(Entries, ({ ReceiptHandle }) => queue.delete(ReceiptHandle));
      },
    ),

    GetQueueAttributes: awsOperation(
      z.strictObject({ ...queueMembers, AttributeNames: names }),
      ({ QueueUrl, AttributeNames = [] }, call) => ({
        Attributes: pick(registry.describe(queueAt(QueueUrl, call)), AttributeNames),
      }),
    ),

    SetQueueAttributes: awsOperation(
      z.strictObject({ ...queueMembers, Attributes: z.record(z.string(), z.string()) }),
      ({ QueueUrl, Attributes }, call) => registry.modify(queueAt(QueueUrl, call), Attributes),
    ),

    PurgeQueue: awsOperation(z.strictObject(queueMembers), ({ QueueUrl }, call) => queueAt(QueueUrl, call).purge()),

    // SQS moves up to 500 messages a second. Here, all are moved at once.
    StartMessageMoveTask: awsOperation(
      z.strictObject({ SourceArn: z.string(), MaxNumberOfMessagesPerSecond: integer(1, 500) }),
      ({ SourceArn }, call) => {
        const source = queueWithArn(SourceArn, call);
        const toMove = source.counts().visible;
        const task: MoveTask = { handle: randomUUID(), status: 'COMPLETED', toMove, moved: 0, startedAt: now() };
        moveTasks.set(source, task);
        try {
          task.moved = source.moveAll(({ deadLetterSource = '' }) => {
            const queue = registry.withArn(deadLetterSource);
            if (queue) return queue;
            throw queueDoesNotExist();
          });
        } catch (error) {
          Object.assign(task, { status: 'FAILED', failureReason: String(error) });
        }
        return { TaskHandle: task.handle };
      },
    ),

    ListMessageMoveTasks: awsOperation(
      z.strictObject({ SourceArn: z.string(), MaxResults: integer(1, 10) }),
      ({ SourceArn }, call) => {
        const task = moveTasks.get(queueWithArn(SourceArn, call));
        return { Results: task === undefined ? [] : [writeMoveTask(SourceArn, task)] };
      },
    ),
  };
}

/** Throws `AwsError` for what SQS rejects. */
function send(queue: Queue, { MessageBody: body, DelaySeconds: delaySeconds, MessageGroupId: groupId }: MessageInput) {
  if (body === '' || forbiddenCharacter.test(body)) {
    throw new AwsError('InvalidMessageContents', 'The message is empty, or has characters that SQS does not take.');
  }
  if (Buffer.byteLength(body) > queue.settings.maximumMessageSize) {
    throw new AwsError('InvalidParameterValue', `A message has at most ${queue.settings.maximumMessageSize} bytes.`);
  }
  if (delaySeconds !== undefined && !(delaySeconds >= 0 && delaySeconds <= longestDelaySeconds)) {
    throw new AwsError('InvalidParameterValue', `DelaySeconds must be between 0 and ${longestDelaySeconds}.`);
  }
  return { MessageId: queue.send({ body, delaySeconds, groupId }), MD5OfMessageBody: md5(body) };
}

/** Throws the `AwsError` that fails a batch as a whole. */
function checkBatch(entries: { Id: string }[]): void {
  if (entries.length === 0) throw new AwsError('EmptyBatchRequest', 'The batch has no entries.');
  if (entries.length > maxInBatch) {
    throw new AwsError('TooManyEntriesInBatchRequest', `A batch has at most ${maxInBatch} entries.`);
  }
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
    throw new AwsError('BatchEntryIdsNotDistinct', 'Two entries of the batch have the same id.');
  }
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

function writeMessage({ messageId, receiptHandle, body, md5OfBody, attributes }: ReceivedMessage, wanted: string[]) {
  return {
    ...{ MessageId: messageId, ReceiptHandle: receiptHandle, Body: body, MD5OfBody: md5OfBody },
    Attributes: pick(attributes, wanted),
  };
}

function writeMoveTask(SourceArn: string, task: MoveTask) {
  return {
    Status: task.status,
    SourceArn,
    ApproximateNumberOfMessagesMoved: task.moved,
    ApproximateNumberOfMessagesToMove: task.toMove,
    FailureReason: task.failureReason,
    StartedTimestamp: task.startedAt,
  };
}

/** The attributes with these names. `All` means every one. */
function pick(attributes: QueueAttributes, wanted: string[]): QueueAttributes {
  if (wanted.includes('All')) return attributes;
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => wanted.includes(name)));
}
