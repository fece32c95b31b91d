import { type Message, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SqsServer, startSqs } from '#local/aws/sqs/server.ts';
import { newId } from '#shared/base/ids.ts';
import { testCredentials, testSigners } from '#support/aws/aws-credentials.ts';
import { startHttpServer } from '#support/http/http-server.ts';
import { longestDelaySeconds } from './delivery.ts';
import type { FirstAttempt, QueueMessage } from './notification.ts';
import {
  type NotificationQueue,
  notificationQueue,
  notificationSource,
  queueClient,
} from './notification-queue-store.ts';

let time: number;
let server: SqsServer;
let client: SQSClient;
let url: string;
let queue: NotificationQueue;
let queues = 0;

beforeAll(async () => {
  server = await startSqs({ now: () => time, servers: 1, signers: testSigners });
  client = new SQSClient({ endpoint: server.url });
});
afterAll(async () => {
  client.destroy();
  await server.close();
});
beforeEach(() => {
  time = Date.UTC(2026, 0, 31);
  queues += 1;
  server.createQueue(`queue-${queues}`);
  url = server.queueUrl(`queue-${queues}`);
  queue = queueAt(url);
});

const queueAt = (url: string) => {
  const connection = { endpoint: new URL(url).origin, region: 'us-east-1', credentials: testCredentials };
  return notificationQueue(url, queueClient(connection));
};

function message(text = 'text', subscriber = newId()): FirstAttempt {
  const address = { subscriber, target: 'webhook', id: newId() } as const;
  return { task: 'deliver', ...address, kind: 'message', payload: { text }, created_at: time, target_version: 0 };
}

async function receiveAll(): Promise<Message[]> {
  const received: Message[] = [];
  for (;;) {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: 10,
        MessageSystemAttributeNames: ['MessageGroupId'],
      }),
    );
    if (Messages.length === 0) return received;
    received.push(...Messages);
  }
}

const bodies = (messages: readonly Message[]) => messages.map(({ Body = '' }) => JSON.parse(Body) as QueueMessage);

describe('messages', () => {
  it('arrive unchanged, even with characters that the queue does not accept', async () => {
    const odd = ['\uffff', '\ufffe\\uffff', '\u0000\u001f\u007f', '\ud800', '\u{1ffff}\u{10ffff}'].map((text) =>
      message(text),
    );
    await queue.send(odd.map((one) => ({ message: one })));
    expect(bodies(await receiveAll())).toEqual(odd);
  });

  it('arrive unchanged, in the message group of their subscriber', async () => {
    const [one, two] = [message('é 😀'), message()];
    await queue.send([{ message: one }, { message: two }]);
    const received = await receiveAll();
    expect(bodies(received)).toEqual(expect.arrayContaining([one, two]));
    for (const { Body = '', Attributes } of received) {
      expect(Attributes?.MessageGroupId).toBe((JSON.parse(Body) as FirstAttempt).subscriber);
    }
  });

  it('for a target with a name of its own have a group to themselves', async () => {
    const [one, two] = [message(), { ...message(), target: 'crm.1f' } as const];
    await queue.send([{ message: one }, { message: two }]);
    const groups = (await receiveAll()).map(({ Attributes }) => Attributes?.MessageGroupId);
    expect(groups.sort()).toEqual([one.subscriber, `${two.subscriber}/crm.1f`].sort());
  });

  it('may be an empty list', async () => {
    await queue.send([]);
    expect(await receiveAll()).toEqual([]);
  });

  it.each([1, 10, 11, 95, 1_000])('may be %i in number, and all arrive', async (count) => {
    const messages = Array.from({ length: count }, (_, index) => message(String(index)));
    await queue.send(messages.map((one) => ({ message: one })));
    const received = bodies(await receiveAll()).map((one) => 'id' in one && one.id);
    expect(received.sort()).toEqual(messages.map(({ id }) => id).sort());
  });

  it('that exceed the size of one batch are sent in several', async () => {
    const large = Array.from({ length: 12 }, () => message('é'.repeat(100_000)));
    await queue.send(large.map((one) => ({ message: one })));
    expect(await receiveAll()).toHaveLength(12);
  });

  it('are delayed as requested, in whole seconds and at most 15 minutes', async () => {
    const delays = [0.4, 2.6, 899, 5_000, -3];
    await queue.send(delays.map((delaySeconds) => ({ message: message(String(delaySeconds)), delaySeconds })));
    const texts = async () =>
      bodies(await receiveAll())
        .map((one) => 'payload' in one && 'text' in one.payload && one.payload.text)
        .sort();
    expect(await texts()).toEqual(['-3', '0.4']);
    time += 3_000;
    expect(await texts()).toEqual(['2.6']);
    time += (longestDelaySeconds - 3) * 1000;
    // The received messages are back as well, because their visibility timeout has ended.
    expect(await texts()).toEqual(['-3', '0.4', '2.6', '5000', '899']);
  });
});

it('a process takes up to ten messages itself, and what it deletes does not come again', async () => {
  const source = notificationSource(url, client);
  const messages = Array.from({ length: 12 }, (_, index) => message(String(index)));
  await queue.send(messages.map((one) => ({ message: one })));
  const taken = [await source.receive(), await source.receive()];
  expect(taken.map(({ length }) => length)).toEqual([10, 2]);
  await source.delete(taken.flat().slice(1, 11));
  await source.delete([]);
  time += 60_000;
  expect(bodies(await receiveAll())).toHaveLength(2);
});

describe('characters', () => {
  /** The characters that XML 1.0 allows, which are those that SQS accepts. */
  const legal = /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u;
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const textsOf = (messages: readonly Message[]) =>
    bodies(messages).map((one) => 'payload' in one && 'text' in one.payload && one.payload.text);

  it('of the whole basic plane, and the last two of every other plane, arrive unchanged', async () => {
    const planes = range(1, 16).flatMap((plane) => [
      plane * 0x10000,
      plane * 0x10000 + 0xfffe,
      plane * 0x10000 + 0xffff,
    ]);
    const texts = range(0, 255).map((block) => String.fromCharCode(...range(block * 256, block * 256 + 255)));
    texts.push(String.fromCodePoint(...planes));
    await queue.send(texts.map((text) => ({ message: message(text) })));
    const received = await receiveAll();
    expect(textsOf(received).sort()).toEqual([...texts].sort());
    expect(received.filter(({ Body = '' }) => !legal.test(Body))).toEqual([]);
  });
});

describe('a queue that rejects some messages', () => {
  it('is an error, although the request succeeds', async () => {
    const partial = { Successful: [], Failed: [{ Id: '0', Code: 'InternalError', SenderFault: false }] };
    const sqs = await startHttpServer((_, response) => response.end(JSON.stringify(partial)));
    const failing = queueAt(`${sqs.url}/000000000000/queue`);
    await expect(failing.send([{ message: message() }])).rejects.toThrow('did not take 1 messages: InternalError');
    await sqs.close();
  });

  it('is an error if the queue does not exist', async () => {
    const missing = queueAt(server.queueUrl('missing'));
    await expect(missing.send([{ message: message() }])).rejects.toThrow('does not exist');
  });
});
