import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BatchEntryIdsNotDistinct,
  BatchRequestTooLong,
  DeleteMessageCommand,
  EmptyBatchRequest,
  GetQueueAttributesCommand,
  InvalidMessageContents,
  ListMessageMoveTasksCommand,
  type Message,
  PurgeQueueCommand,
  QueueDoesNotExist,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SendMessageCommandInput,
  SetQueueAttributesCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
  TooManyEntriesInBatchRequest,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testCredentials, testSigners } from '#support/aws/aws-credentials.ts';
import type { Authorize } from '../base/signatures/aws-access.ts';
import { type SqsOptions, type SqsServer, startSqs } from './server.ts';

const mebibyte = 1024 * 1024;

let time: number;
let server: SqsServer;
let sqs: SQSClient;
let QueueUrl: string;

function clientOf({ url }: { url: string }): SQSClient {
  return new SQSClient({ region: 'us-east-1', endpoint: url, credentials: testCredentials, maxAttempts: 1 });
}

async function start(options: Partial<SqsOptions> = {}): Promise<void> {
  server = await startSqs({ now: () => time, servers: 1, signers: testSigners, ...options });
  sqs = clientOf(server);
}

beforeEach(async () => {
  time = Date.UTC(2026, 0, 1);
  await start();
  server.createQueue('source');
  QueueUrl = server.queueUrl('source');
});
afterEach(async () => {
  sqs.destroy();
  await server.close();
});

const send = (input: Partial<SendMessageCommandInput>) =>
  sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x', ...input }));

async function receive(input: Partial<ReceiveMessageCommandInput> = {}): Promise<Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl,
    MaxNumberOfMessages: 10,
    MessageSystemAttributeNames: ['All'],
    MessageAttributeNames: ['All'],
    ...input,
  });
  return (await sqs.send(command)).Messages ?? [];
}

describe('messages', () => {
  it('arrive as they were sent, with digests that the SDK verifies', async () => {
    const sent = await send({ MessageBody: 'Grüße 😀\r\n\t€', MessageGroupId: 'tenant-1' });
    const [message] = await receive();
    expect(message).toMatchObject({
      MessageId: sent.MessageId,
      Body: 'Grüße 😀\r\n\t€',
      Attributes: { MessageGroupId: 'tenant-1', ApproximateReceiveCount: '1', SentTimestamp: String(time) },
    });
  });

  it('are not given to callers that have disconnected', async () => {
    const gone = new AbortController();
    const hangUp = () =>
      sqs
        .send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }), { abortSignal: gone.signal })
        .catch((error: Error) => error.name);
    const aborted = Array.from({ length: 40 }, hangUp);
    await receive();
    gone.abort();
    expect(new Set(await Promise.all(aborted))).toEqual(new Set(['AbortError']));
    // The server may need a moment to notice, but must notice before every one of them has taken a message.
    const sendAndReceive = async () => {
      await send({ MessageBody: 'for the living' });
      return (await receive()).length;
    };
    await expect.poll(sendAndReceive).toBe(1);
  });

  it('leave nothing behind if they are rejected', async () => {
    await expect(send({ DelaySeconds: 901 })).rejects.toMatchObject({
      name: 'InvalidParameterValue',
      $fault: 'client',
    });
    await expect(send({ MessageBody: 'a\u0000b' })).rejects.toBeInstanceOf(InvalidMessageContents);
    expect(await receive()).toEqual([]);
  });
});

describe('batches', () => {
  const sendBatch = (Entries: { Id: string; MessageBody: string; DelaySeconds?: number }[]) =>
    sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  const entries = (count: number, MessageBody = 'x') =>
    Array.from({ length: count }, (_, n) => ({ Id: `entry-${n}`, MessageBody }));

  it('batches fail entry by entry', async () => {
    const { Successful, Failed } = await sendBatch([
      { Id: 'good', MessageBody: 'good' },
      { Id: 'late', MessageBody: 'x', DelaySeconds: 901 },
      { Id: 'bad', MessageBody: '\u0001' },
    ]);
    expect(Successful?.map(({ Id }) => Id)).toEqual(['good']);
    expect(Failed).toEqual([
      { Id: 'late', Code: 'InvalidParameterValue', SenderFault: true, Message: expect.any(String) },
      { Id: 'bad', Code: 'InvalidMessageContents', SenderFault: true, Message: expect.any(String) },
    ]);
    expect((await receive()).map(({ Body }) => Body)).toEqual(['good']);
  });

  it('are rejected as a whole if they are malformed', async () => {
    await expect(sendBatch([])).rejects.toBeInstanceOf(EmptyBatchRequest);
    await expect(sendBatch(entries(11))).rejects.toBeInstanceOf(TooManyEntriesInBatchRequest);
    await expect(sendBatch([...entries(1), ...entries(1)])).rejects.toBeInstanceOf(BatchEntryIdsNotDistinct);
    await expect(sendBatch(entries(2, 'x'.repeat(mebibyte / 2 + 1)))).rejects.toBeInstanceOf(BatchRequestTooLong);
    expect(await receive()).toEqual([]);
    await expect(sendBatch(entries(2, 'x'.repeat(mebibyte / 2)))).resolves.toMatchObject({ Successful: [{}, {}] });
  });
});

describe('queues', () => {
  it('are described, changed and purged', async () => {
    server.createQueue('source', { VisibilityTimeout: '60' });
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { DelaySeconds: '5' } }));
    for (let n = 0; n < 3; n += 1) await send({});
    time += 5000;
    await send({});
    await receive({ MaxNumberOfMessages: 1 });
    const attributes = async () =>
      (await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))).Attributes;
    expect(await attributes()).toEqual({
      QueueArn: 'arn:aws:sqs:us-east-1:000000000000:source',
      ApproximateNumberOfMessages: '2',
      ApproximateNumberOfMessagesDelayed: '1',
      ApproximateNumberOfMessagesNotVisible: '1',
      DelaySeconds: '5',
      MaximumMessageSize: '1048576',
      MessageRetentionPeriod: '345600',
      ReceiveMessageWaitTimeSeconds: '0',
      VisibilityTimeout: '60',
    });
    await sqs.send(new PurgeQueueCommand({ QueueUrl }));
    expect(await attributes()).toMatchObject({ ApproximateNumberOfMessages: '0' });
    expect(await receive()).toEqual([]);
  });

  it('that do not exist are reported as such', async () => {
    const missing = { QueueUrl: server.queueUrl('missing') };
    await expect(sqs.send(new SendMessageCommand({ ...missing, MessageBody: 'x' }))).rejects.toBeInstanceOf(
      QueueDoesNotExist,
    );
    const elsewhere = { QueueUrl: `${server.url}/999999999999/source` };
    await expect(sqs.send(new ReceiveMessageCommand(elsewhere))).rejects.toBeInstanceOf(QueueDoesNotExist);
  });
});

describe('dead letters', () => {
  const dead = 'arn:aws:sqs:us-east-1:000000000000:dead';

  /** Sends messages and lets each fail once. */
  async function exhaust(...MessageBodies: string[]): Promise<void> {
    server.createQueue('dead');
    server.createQueue('source', {
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: dead, maxReceiveCount: '1' }),
    });
    for (const MessageBody of MessageBodies) await send({ MessageBody });
    await receive();
    time += 30_000;
    expect(await receive()).toEqual([]);
  }

  it('are returned to their source by a move task', async () => {
    await exhaust('one', 'two');
    const { TaskHandle } = await sqs.send(
      new StartMessageMoveTaskCommand({ SourceArn: dead, MaxNumberOfMessagesPerSecond: 50 }),
    );
    expect(TaskHandle).toEqual(expect.any(String));
    expect((await receive()).map(({ Body }) => Body).sort()).toEqual(['one', 'two']);
    const { Results } = await sqs.send(new ListMessageMoveTasksCommand({ SourceArn: dead }));
    expect(Results).toEqual([
      {
        Status: 'COMPLETED',
        SourceArn: dead,
        ApproximateNumberOfMessagesMoved: 2,
        ApproximateNumberOfMessagesToMove: 2,
        StartedTimestamp: time,
      },
    ]);
  });
});

describe('access', () => {
  it('is limited by the permissions, and a batch counts as the single action', async () => {
    const asked: unknown[] = [];
    const authorize: Authorize = (access) => {
      asked.push(access);
      if (access.action !== 'sqs:SendMessage') throw new Error(`not authorized to perform ${access.action}`);
    };
    await server.close();
    await start({ authorize });
    server.createQueue('source');
    QueueUrl = server.queueUrl('source');
    await send({ MessageBody: 'x' });
    await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id: 'a', MessageBody: 'x' }] }));
    await expect(receive()).rejects.toMatchObject({
      name: 'AccessDenied',
      message: 'not authorized to perform sqs:ReceiveMessage',
      $metadata: { httpStatusCode: 403 },
    });
    const resource = 'arn:aws:sqs:us-east-1:000000000000:source';
    const access = { accessKeyId: 'test', resource };
    expect(asked).toEqual([
      { ...access, action: 'sqs:SendMessage' },
      { ...access, action: 'sqs:SendMessage' },
      { ...access, action: 'sqs:ReceiveMessage' },
    ]);
  });
});

describe('lifecycle', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sqs-'));
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  it('loses no accepted message if it is killed, and shows those in flight again', async () => {
    const source = `
      import { startSqs } from ${JSON.stringify(import.meta.resolve('./server.ts'))};
      import { testSigners } from ${JSON.stringify(import.meta.resolve('#support/aws/aws-credentials.ts'))};
      const server = await startSqs({ dataDir: ${JSON.stringify(dataDir)}, signers: testSigners });
      server.createQueue('kept', { VisibilityTimeout: '3600' });
      process.stdout.write(server.url);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [url] = await once(child.stdout, 'data');
    const client = clientOf({ url: String(url) });
    const there = { QueueUrl: `${url}/000000000000/kept` };
    const sendOne = (n: number) => client.send(new SendMessageCommand({ ...there, MessageBody: `${n}` }));
    await Promise.all(Array.from({ length: 20 }, (_, n) => sendOne(n)));
    const { Messages = [] } = await client.send(new ReceiveMessageCommand({ ...there, MaxNumberOfMessages: 10 }));
    const [done] = Messages;
    await client.send(new DeleteMessageCommand({ ...there, ReceiptHandle: done?.ReceiptHandle }));
    child.kill('SIGKILL');
    await once(child, 'exit');
    client.destroy();

    await server.close();
    await start({ dataDir, now: Date.now });
    server.createQueue('kept', { VisibilityTimeout: '3600' });
    QueueUrl = server.queueUrl('kept');
    const bodies = [...(await receive()), ...(await receive())].map(({ Body }) => Number(Body));
    const expected = Array.from({ length: 20 }, (_, n) => n).filter((n) => n !== Number(done?.Body));
    expect(bodies.sort((a, b) => a - b)).toEqual(expected);
  });

  it('ends long polls, lets running requests finish, and frees its port', async () => {
    const waiting = receive({ WaitTimeSeconds: 20 });
    await receive();
    const { port } = new URL(server.url);
    await server.close();
    expect(await waiting).toEqual([]);
    await start({ port: Number(port) });
    await expect(startSqs({ port: Number(port), signers: testSigners })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
