import {
  CreateQueueCommand,
  type CreateQueueCommandInput,
  DeleteMessageCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  type MessageAttributeValue,
  PurgeQueueCommand,
  type QueueAttributeName,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SendMessageCommand,
  type SendMessageCommandInput,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach } from 'vitest';
import { testCredentials, testSigners } from '#support/aws/aws-credentials.ts';
import { type StrictRule, testStrictRules } from '#support/strict-rules.ts';
import { type SqsServer, startSqs } from './server.ts';

let time: number;
let server: SqsServer;
let sqs: SQSClient;
let QueueUrl: string;

beforeEach(async () => {
  time = Date.UTC(2026, 0, 1);
  server = await startSqs({ now: () => time, servers: 1, signers: testSigners });
  sqs = new SQSClient({ region: 'us-east-1', endpoint: server.url, credentials: testCredentials, maxAttempts: 1 });
  server.createQueue('source');
  QueueUrl = server.queueUrl('source');
});
afterEach(async () => {
  sqs.destroy();
  await server.close();
});

const mebibyte = 1024 * 1024;
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `a${index}`);

const send = (input: Partial<SendMessageCommandInput>) => () =>
  sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x', ...input }));
const text = (StringValue: string, DataType = 'String'): MessageAttributeValue => ({ DataType, StringValue });
const attribute = (value: MessageAttributeValue, name = 'a') => send({ MessageAttributes: { [name]: value } });
const attributes = (count: number) =>
  send({ MessageAttributes: Object.fromEntries(numbered(count).map((name) => [name, text('x')])) });
const number = (value: string) => attribute(text(value, 'Number'));
const traceHeader = (value: MessageAttributeValue, name = 'AWSTraceHeader') =>
  send({ MessageSystemAttributes: { [name]: value } });
const trace = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1';

const sendBatch = (Entries: SendMessageBatchRequestEntry[]) => () =>
  sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
const entries = (count: number, MessageBody = 'x') => numbered(count).map((Id) => ({ Id, MessageBody }));

const receive = (input: Partial<ReceiveMessageCommandInput>) => () =>
  sqs.send(new ReceiveMessageCommand({ QueueUrl, ...input }));
const receiveOne = async () => {
  await send({})();
  const { Messages = [] } = await receive({})();
  return { QueueUrl, ReceiptHandle: Messages[0]?.ReceiptHandle };
};
const create = (input: Partial<CreateQueueCommandInput>) => () =>
  sqs.send(new CreateQueueCommand({ QueueName: 'new', ...input }));
const createWith = (Attributes: Partial<Record<QueueAttributeName, string>>) => create({ Attributes });
const redrive = (maxReceiveCount: number, name = 'source') => {
  const deadLetterTargetArn = `arn:aws:sqs:us-east-1:000000000000:${name}`;
  return createWith({ RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount }) });
};
const purgeTwice = (secondsBetween: number) => async () => {
  const purge = () => sqs.send(new PurgeQueueCommand({ QueueUrl }));
  await purge();
  time += secondsBetween * 1000;
  return purge();
};
const createAgain = (secondsBetween: number) => async () => {
  await sqs.send(new DeleteQueueCommand({ QueueUrl }));
  time += secondsBetween * 1000;
  return create({ QueueName: 'source' })();
};
const attributesNamed = (name: string) => () =>
  sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [name as QueueAttributeName] }));

/** `page` is an action or a type of the SQS API Reference, or the title of a page of the SQS Developer Guide. */
const rules: readonly StrictRule[] = [
  {
    rule: 'a message has at least one character',
    page: 'SendMessage',
    accepted: send({ MessageBody: ' ' }),
    rejected: send({ MessageBody: '' }),
    error: 'MissingParameter',
  },
  {
    rule: 'a message has at most 1 MiB',
    page: 'SendMessage',
    accepted: send({ MessageBody: 'x'.repeat(mebibyte) }),
    rejected: send({ MessageBody: 'x'.repeat(mebibyte + 1) }),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'the size of a message is counted in bytes',
    page: 'SendMessage',
    accepted: send({ MessageBody: '€'.repeat(mebibyte / 3) }),
    rejected: send({ MessageBody: '€'.repeat(mebibyte / 3 + 1) }),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'names, types and values of attributes count as part of the message',
    page: 'MessageAttributeValue',
    accepted: send({ MessageBody: 'x'.repeat(mebibyte - 8), MessageAttributes: { a: text('x') } }),
    rejected: send({ MessageBody: 'x'.repeat(mebibyte - 7), MessageAttributes: { a: text('x') } }),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'the trace header does not count as part of the message',
    page: 'SendMessage',
    accepted: send({
      MessageBody: 'x'.repeat(mebibyte),
      MessageSystemAttributes: { AWSTraceHeader: text(trace) },
    }),
    rejected: send({
      MessageBody: 'x'.repeat(mebibyte + 1),
      MessageSystemAttributes: { AWSTraceHeader: text(trace) },
    }),
    error: 'InvalidParameterValue',
  },
  ...['\u0000', '\u000b', '\u001f', '\ufffe', '\uffff', '\ud800'].map((character) => ({
    rule: `a message has no character ${JSON.stringify(character)}`,
    page: 'SendMessage',
    accepted: send({ MessageBody: '\t\n\r \ud7ff\ue000\ufffd\u{10000}\u{10ffff}' }),
    rejected: send({ MessageBody: `a${character}b` }),
    error: 'InvalidMessageContents',
  })),
  {
    rule: 'a message is delayed by at most 15 minutes',
    page: 'SendMessage',
    accepted: send({ DelaySeconds: 900 }),
    rejected: send({ DelaySeconds: 901 }),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'a delay is not negative',
    page: 'SendMessage',
    accepted: send({ DelaySeconds: 0 }),
    rejected: send({ DelaySeconds: -1 }),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'the id of a group has at most 128 characters',
    page: 'SendMessage',
    accepted: send({ MessageGroupId: 'x'.repeat(128) }),
    rejected: send({ MessageGroupId: 'x'.repeat(129) }),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'the id of a group consists of letters, digits and punctuation',
    page: 'SendMessage',
    accepted: send({ MessageGroupId: 'aZ9!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~' }),
    rejected: send({ MessageGroupId: 'a b' }),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'only FIFO queues take a deduplication id',
    page: 'SendMessage',
    accepted: send({}),
    rejected: send({ MessageDeduplicationId: 'x' }),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'a message has at most ten attributes',
    page: 'Amazon SQS message metadata',
    accepted: attributes(10),
    rejected: attributes(11),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'the name of an attribute has at most 256 characters',
    page: 'Amazon SQS message metadata',
    accepted: attribute(text('x'), 'a'.repeat(256)),
    rejected: attribute(text('x'), 'a'.repeat(257)),
    error: 'InvalidParameterValue',
  },
  ...['AWS.a', 'aws.a', 'Amazon.a', '.a', 'a.', 'a..b', 'a b', 'ä'].map((name) => ({
    rule: `no attribute has the name ${name}`,
    page: 'Amazon SQS message metadata',
    accepted: attribute(text('x'), 'AWSa.B_9-c'),
    rejected: attribute(text('x'), name),
    error: 'InvalidParameterValue',
  })),
  {
    rule: 'an attribute is a String, a Number or Binary, with a label of its own if it likes',
    page: 'Amazon SQS message metadata',
    accepted: attribute(text('x', 'String.date')),
    rejected: attribute(text('x', 'Date')),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'the type of an attribute has at most 256 characters',
    page: 'Amazon SQS message metadata',
    accepted: attribute(text('x', `String.${'x'.repeat(249)}`)),
    rejected: attribute(text('x', `String.${'x'.repeat(250)}`)),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'the value of an attribute is not empty',
    page: 'MessageAttributeValue',
    accepted: attribute(text(' ')),
    rejected: attribute({ DataType: 'String' }),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'an attribute has the value of its type only',
    page: 'MessageAttributeValue',
    accepted: attribute({ DataType: 'Binary', BinaryValue: Uint8Array.of(1) }),
    rejected: attribute({ DataType: 'Binary', BinaryValue: Uint8Array.of(1), StringValue: 'x' }),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'an attribute has no list of values',
    page: 'MessageAttributeValue, "StringListValues"',
    accepted: attribute(text('x')),
    rejected: attribute({ ...text('x'), StringListValues: ['y'] }),
    error: 'ValidationException',
  },
  ...['', 'x', '0x10', '1,5', '1e', '--1'].map((value) => ({
    rule: `${JSON.stringify(value)} is not a number`,
    page: 'Amazon SQS message metadata',
    accepted: number('-1.5e-3'),
    rejected: number(value),
    error: 'InvalidParameterValue',
  })),
  {
    rule: 'a number has at most 38 digits',
    page: 'Amazon SQS message metadata',
    accepted: number(`00${'9'.repeat(38)}.00`),
    rejected: number('9'.repeat(39)),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'a number is at most 10^126',
    page: 'Amazon SQS message metadata',
    accepted: number('-1e126'),
    rejected: number('-1e127'),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'a number other than 0 is at least 10^-128',
    page: 'Amazon SQS message metadata',
    accepted: number('1e-128'),
    rejected: number('1e-129'),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'the only system attribute is the trace header',
    page: 'SendMessage',
    accepted: traceHeader(text(trace)),
    rejected: traceHeader(text(trace), 'AWSOther'),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'the trace header is a String',
    page: 'SendMessage',
    accepted: traceHeader(text(trace)),
    rejected: traceHeader({ DataType: 'Binary', BinaryValue: Buffer.from(trace) }),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'the trace header is well formed',
    page: 'SendMessage',
    accepted: traceHeader(text('Root=1-5759e988-bd862e3fe1be46a994272793')),
    rejected: traceHeader(text('Root=1-2-3')),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'a batch has at least one entry',
    page: 'SendMessageBatch',
    accepted: sendBatch(entries(1)),
    rejected: sendBatch([]),
    error: 'EmptyBatchRequest',
  },
  {
    rule: 'a batch has at most ten entries',
    page: 'SendMessageBatch',
    accepted: sendBatch(entries(10)),
    rejected: sendBatch(entries(11)),
    error: 'TooManyEntriesInBatchRequest',
  },
  {
    rule: 'the ids of a batch differ',
    page: 'SendMessageBatch',
    accepted: sendBatch(entries(2)),
    rejected: sendBatch([...entries(1), ...entries(1)]),
    error: 'BatchEntryIdsNotDistinct',
  },
  {
    rule: 'the id of an entry has at most 80 characters',
    page: 'SendMessageBatchRequestEntry',
    accepted: sendBatch([{ Id: 'x'.repeat(80), MessageBody: 'x' }]),
    rejected: sendBatch([{ Id: 'x'.repeat(81), MessageBody: 'x' }]),
    error: 'InvalidBatchEntryId',
  },
  {
    rule: 'the id of an entry consists of letters, digits, hyphens and underscores',
    page: 'SendMessageBatchRequestEntry',
    accepted: sendBatch([{ Id: 'aZ9-_', MessageBody: 'x' }]),
    rejected: sendBatch([{ Id: 'not an id', MessageBody: 'x' }]),
    error: 'InvalidBatchEntryId',
  },
  {
    rule: 'the messages of a batch have at most 1 MiB together',
    page: 'SendMessageBatch',
    accepted: sendBatch(entries(2, 'x'.repeat(mebibyte / 2))),
    rejected: sendBatch(entries(2, 'x'.repeat(mebibyte / 2 + 1))),
    error: 'BatchRequestTooLong',
  },
  {
    rule: 'one receive takes at most ten messages',
    page: 'ReceiveMessage',
    accepted: receive({ MaxNumberOfMessages: 10 }),
    rejected: receive({ MaxNumberOfMessages: 11 }),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'one receive takes at least one message',
    page: 'ReceiveMessage',
    accepted: receive({ MaxNumberOfMessages: 1 }),
    rejected: receive({ MaxNumberOfMessages: 0 }),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'a long poll takes at most 20 seconds',
    page: 'Amazon SQS short and long polling',
    accepted: async () => {
      await send({})();
      return receive({ WaitTimeSeconds: 20 })();
    },
    rejected: receive({ WaitTimeSeconds: 21 }),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'a message is hidden for at most 12 hours',
    page: 'Amazon SQS visibility timeout',
    accepted: receive({ VisibilityTimeout: 43_200 }),
    rejected: receive({ VisibilityTimeout: 43_201 }),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'a receipt handle comes from a receive',
    page: 'DeleteMessage',
    accepted: async () => sqs.send(new DeleteMessageCommand(await receiveOne())),
    rejected: () => sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: 'garbage' })),
    error: 'ReceiptHandleIsInvalid',
  },
  {
    rule: 'a receiver asks for system attributes that there are',
    page: 'ReceiveMessage',
    accepted: receive({ MessageSystemAttributeNames: ['SequenceNumber', 'All'] }),
    rejected: receive({ MessageSystemAttributeNames: ['Sent' as 'SentTimestamp'] }),
    error: 'InvalidAttributeName',
  },
  {
    rule: 'only FIFO queues take an id for repeated receives',
    page: 'ReceiveMessage',
    accepted: receive({}),
    rejected: receive({ ReceiveRequestAttemptId: 'x' }),
    error: 'ValidationException',
  },
  {
    rule: 'the name of a queue has at most 80 characters',
    page: 'CreateQueue',
    accepted: create({ QueueName: 'x'.repeat(80) }),
    rejected: create({ QueueName: 'x'.repeat(81) }),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'the name of a queue consists of letters, digits, hyphens and underscores',
    page: 'CreateQueue',
    accepted: create({ QueueName: 'aZ9-_' }),
    rejected: create({ QueueName: 'a.b' }),
    error: 'InvalidParameterValue',
  },
  ...Object.entries({
    DelaySeconds: [0, 900],
    MaximumMessageSize: [1024, mebibyte],
    MessageRetentionPeriod: [60, 1_209_600],
    ReceiveMessageWaitTimeSeconds: [0, 20],
    VisibilityTimeout: [0, 43_200],
    KmsDataKeyReusePeriodSeconds: [60, 86_400],
  }).flatMap(([name, [min = 0, max = 0]]) => [
    {
      rule: `${name} is at least ${min}`,
      page: 'CreateQueue',
      accepted: createWith({ [name]: String(min) }),
      rejected: createWith({ [name]: String(min - 1) }),
      error: 'InvalidAttributeValue',
    },
    {
      rule: `${name} is at most ${max}`,
      page: 'CreateQueue',
      accepted: createWith({ [name]: String(max) }),
      rejected: createWith({ [name]: String(max + 1) }),
      error: 'InvalidAttributeValue',
    },
  ]),
  {
    rule: 'numbers among the attributes of a queue are whole',
    page: 'CreateQueue',
    accepted: createWith({ DelaySeconds: '1' }),
    rejected: createWith({ DelaySeconds: '1.5' }),
    error: 'InvalidAttributeValue',
  },
  {
    rule: 'a queue has attributes that there are',
    page: 'CreateQueue',
    accepted: createWith({ DelaySeconds: '1' }),
    rejected: createWith({ ['Delay' as QueueAttributeName]: '1' }),
    error: 'InvalidAttributeName',
  },
  {
    rule: 'a standard queue has no attributes of a FIFO queue',
    page: 'CreateQueue',
    accepted: createWith({}),
    rejected: createWith({ FifoQueue: 'true' }),
    error: 'InvalidAttributeName',
  },
  {
    rule: 'the policy of a queue is a JSON object',
    page: 'CreateQueue',
    accepted: createWith({ Policy: '{"Version":"2012-10-17","Statement":[]}' }),
    rejected: createWith({ Policy: 'none' }),
    error: 'InvalidAttributeValue',
  },
  {
    rule: 'SqsManagedSseEnabled is true or false',
    page: 'CreateQueue',
    accepted: createWith({ SqsManagedSseEnabled: 'false' }),
    rejected: createWith({ SqsManagedSseEnabled: 'no' }),
    error: 'InvalidAttributeValue',
  },
  {
    rule: 'a redrive policy is a JSON object with both members',
    page: 'CreateQueue',
    accepted: redrive(5),
    rejected: createWith({ RedrivePolicy: '{"maxReceiveCount":5}' }),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'a message is received at least once before it is dead',
    page: 'CreateQueue',
    accepted: redrive(1),
    rejected: redrive(0),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'a message is received at most 1,000 times before it is dead',
    page: 'Configure a dead-letter queue using the Amazon SQS console',
    accepted: redrive(1000),
    rejected: redrive(1001),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'a dead-letter queue exists before queues point to it',
    page: 'Using dead-letter queues in Amazon SQS',
    accepted: redrive(5),
    rejected: redrive(5, 'missing'),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'a queue is created twice only with the same attributes',
    page: 'CreateQueue',
    accepted: create({ QueueName: 'source', Attributes: { DelaySeconds: '0' } }),
    rejected: create({ QueueName: 'source', Attributes: { DelaySeconds: '1' } }),
    error: 'QueueNameExists',
  },
  {
    rule: 'a queue with the name of a deleted one is created 60 seconds later',
    page: 'CreateQueue',
    accepted: createAgain(60),
    rejected: createAgain(59),
    error: 'QueueDeletedRecently',
  },
  {
    rule: 'a queue is purged once in 60 seconds',
    page: 'PurgeQueue',
    accepted: purgeTwice(60),
    rejected: purgeTwice(59),
    error: 'PurgeQueueInProgress',
  },
  {
    rule: 'a caller asks for attributes of a queue that there are',
    page: 'GetQueueAttributes',
    accepted: attributesNamed('FifoQueue'),
    rejected: attributesNamed('Length'),
    error: 'InvalidAttributeName',
  },
  {
    rule: 'a list has pages of at most 1,000 queues',
    page: 'ListQueues',
    accepted: () => sqs.send(new ListQueuesCommand({ MaxResults: 1000 })),
    rejected: () => sqs.send(new ListQueuesCommand({ MaxResults: 1001 })),
    error: 'InvalidParameterValue',
  },
  {
    rule: 'a queue exists before it is used',
    page: 'GetQueueUrl',
    accepted: () => sqs.send(new GetQueueUrlCommand({ QueueName: 'source' })),
    rejected: () => sqs.send(new GetQueueUrlCommand({ QueueName: 'missing' })),
    error: 'QueueDoesNotExist',
  },
  {
    rule: 'a parameter that the local SQS does not serve is an error',
    page: 'GetQueueUrl',
    accepted: () => sqs.send(new GetQueueUrlCommand({ QueueName: 'source' })),
    rejected: () => sqs.send(new GetQueueUrlCommand({ QueueName: 'source', QueueOwnerAWSAccountId: '111111111111' })),
    error: 'ValidationException',
  },
];

testStrictRules(rules);
