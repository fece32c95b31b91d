import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { QueueAttributes } from '../queue-attributes.ts';
import { Queue } from './queue.ts';

const hourMs = 3_600_000;

/** Queues over one clock that the test moves. On one server, the order is that of arrival. */
function world({ servers = 1, random = (): number => 0 } = {}) {
  let time = Date.UTC(2026, 0, 1);
  const queues = new Map<string, Queue>();
  return {
    now: () => time,
    pass(milliseconds: number) {
      time += milliseconds;
    },
    queue(name: string, attributes: QueueAttributes = {}, file?: string): Queue {
      const arn = `arn:aws:sqs:us-east-1:000000000000:${name}`;
      const findQueue = (key: string) => queues.get(key);
      const queue = new Queue({ name, arn, attributes, now: () => time, file, findQueue, servers, random });
      queues.set(arn, queue);
      return queue;
    },
  };
}

const take = (queue: Queue, maxMessages = 10) => queue.receive({ maxMessages, waitSeconds: 0 });
const bodies = async (queue: Queue, maxMessages = 10) => (await take(queue, maxMessages)).map(({ body }) => body);

async function takeOne(queue: Queue) {
  const [message] = await take(queue, 1);
  if (message === undefined) throw new Error('no message is visible');
  return message;
}

describe('visibility', () => {
  it('hides a received message until its timeout, and counts the receives', async () => {
    const { queue, pass, now } = world();
    const source = queue('source', { VisibilityTimeout: '30' });
    const sentAt = now();
    source.send({ body: 'one' });
    pass(500);
    const first = await takeOne(source);
    expect(first.attributes).toEqual({
      SentTimestamp: String(sentAt),
      ApproximateReceiveCount: '1',
      ApproximateFirstReceiveTimestamp: String(sentAt + 500),
    });
    pass(29_999);
    expect(await take(source)).toEqual([]);
    expect(source.counts()).toEqual({ visible: 0, delayed: 0, inFlight: 1 });
    pass(1);
    const second = await takeOne(source);
    expect(second.messageId).toBe(first.messageId);
    expect(second.receiptHandle).not.toBe(first.receiptHandle);
    expect(second.attributes).toMatchObject({
      ApproximateReceiveCount: '2',
      ApproximateFirstReceiveTimestamp: String(sentAt + 500),
    });
  });

  it('accepts only the latest handle for a delete, even after the timeout', async () => {
    const { queue, pass } = world();
    const source = queue('source');
    source.send({ body: 'one' });
    const first = await takeOne(source);
    pass(30_000);
    const second = await takeOne(source);
    source.delete(first.receiptHandle);
    pass(30_000);
    expect(source.counts().visible).toBe(1);
    source.delete(second.receiptHandle);
    expect(source.counts()).toEqual({ visible: 0, delayed: 0, inFlight: 0 });
    expect(await take(source)).toEqual([]);
    source.delete(second.receiptHandle);
  });
});

describe('delay and retention', () => {
  it("delays by the message's seconds or the queue's", async () => {
    const { queue, pass } = world();
    const source = queue('source', { DelaySeconds: '60' });
    source.send({ body: 'as the queue says' });
    source.send({ body: 'late', delaySeconds: 900 });
    source.send({ body: 'now', delaySeconds: 0 });
    source.delete((await takeOne(source)).receiptHandle);
    expect(source.counts()).toEqual({ visible: 0, delayed: 2, inFlight: 0 });
    pass(60_000);
    expect(await bodies(source)).toEqual(['as the queue says']);
    pass(839_999);
    expect(source.counts().delayed).toBe(1);
    pass(1);
    expect(source.counts().delayed).toBe(0);
  });

  it('removes a message at the end of its retention', async () => {
    const { queue, pass } = world();
    const source = queue('source', { MessageRetentionPeriod: '3600' });
    source.send({ body: 'old' });
    pass(hourMs / 2);
    source.send({ body: 'young' });
    pass(hourMs / 2);
    expect(await bodies(source)).toEqual(['young']);
    pass(2 * hourMs);
    expect(await bodies(source)).toEqual([]);
    expect(source.counts()).toEqual({ visible: 0, delayed: 0, inFlight: 0 });
  });
});

describe('redrive', () => {
  const redrive = {
    RedrivePolicy: JSON.stringify({
      deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:dead',
      maxReceiveCount: 2,
    }),
    VisibilityTimeout: '10',
  };

  it('moves a message away after maxReceiveCount receives', async () => {
    const { queue, pass } = world();
    const [source, dead] = [queue('source', redrive), queue('dead')];
    const messageId = source.send({ body: 'poison', groupId: 'tenant' });
    for (let receive = 0; receive < 2; receive += 1) {
      expect(await bodies(source)).toEqual(['poison']);
      pass(10_000);
    }
    expect(await bodies(source)).toEqual([]);
    const message = await takeOne(dead);
    expect(message).toMatchObject({ messageId, body: 'poison' });
    expect(message.attributes).toMatchObject({
      DeadLetterQueueSourceArn: source.arn,
      MessageGroupId: 'tenant',
      ApproximateReceiveCount: '1',
    });
  });

  it('continues to deliver while the dead-letter queue does not exist', async () => {
    const { queue, pass } = world();
    const source = queue('source', redrive);
    source.send({ body: 'poison' });
    for (let receive = 0; receive < 4; receive += 1) {
      expect(await bodies(source)).toEqual(['poison']);
      pass(10_000);
    }
  });
});

describe('fairness', () => {
  async function sendBacklog(source: Queue, inFlight: number): Promise<string[]> {
    for (let n = 0; n < 100; n += 1) source.send({ body: `noisy ${n}`, groupId: 'noisy' });
    source.send({ body: 'quiet', groupId: 'quiet' });
    source.send({ body: 'no group' });
    const handles: string[] = [];
    while (handles.length < inFlight) handles.push(...(await take(source)).map(({ receiptHandle }) => receiptHandle));
    return handles;
  }

  it('lets a quiet tenant overtake the backlog of one with 30 messages in flight', async () => {
    const source = world().queue('source');
    await sendBacklog(source, 30);
    expect(await bodies(source, 4)).toEqual(['quiet', 'no group', 'noisy 30', 'noisy 31']);
  });

  it('keeps the order of arrival while a tenant has fewer in flight, or has had them and they were deleted', async () => {
    const source = world().queue('source');
    for (const handle of await sendBacklog(source, 20)) source.delete(handle);
    expect(await bodies(source, 10)).toEqual(Array.from({ length: 10 }, (_, n) => `noisy ${n + 20}`));
  });

  it('delivers the backlog of noisy tenants in turns when nothing else waits', async () => {
    const source = world().queue('source');
    for (const groupId of ['a', 'b']) {
      for (let n = 0; n < 60; n += 1) source.send({ body: groupId, groupId });
    }
    const received: string[] = [];
    for (let batch = await bodies(source); batch.length > 0; batch = await bodies(source)) received.push(...batch);
    expect(received.slice(0, 60).filter((group) => group === 'b').length).toBeGreaterThan(20);
    expect(received).toHaveLength(120);
  });
});

describe('long polling', () => {
  const receive = (queue: Queue, maxMessages = 10, signal?: AbortSignal) =>
    queue.receive({ maxMessages, waitSeconds: 20, ...(signal && { signal }) });

  it('gives each arriving batch to one waiting consumer in turn', async () => {
    const source = world().queue('source');
    const first = receive(source);
    const second = receive(source);
    source.send({ body: 'one' });
    source.send({ body: 'two' });
    expect((await first).map(({ body }) => body)).toEqual(['one', 'two']);
    source.send({ body: 'three' });
    expect((await second).map(({ body }) => body)).toEqual(['three']);
  });

  it('gives what is sent together to several waiting consumers, as it lies on the servers', async () => {
    const serverOfEach = [0, 1, 2, 0, 1, 0];
    let drawn = 0;
    const source = world({ servers: 3, random: () => (serverOfEach[drawn++] ?? 0) / 3 }).queue('source');
    // Each receive draws a server, too.
    drawn = -3;
    const waiting = [receive(source), receive(source), receive(source)];
    for (const server of serverOfEach) source.send({ body: `server ${server}` });
    const received = await Promise.all(waiting);
    expect(received.map((messages) => messages.map(({ body }) => body))).toEqual([
      ['server 0', 'server 0', 'server 0'],
      ['server 1', 'server 1'],
      ['server 2'],
    ]);
  });

  it('fills a batch from all servers when the queue is deep', async () => {
    const source = world({ servers: 3, random: Math.random }).queue('source');
    for (let n = 0; n < 10; n += 1) source.send({ body: 'deep' });
    expect(await receive(source)).toHaveLength(10);
  });

  it('ends when a message becomes visible, even if the clock jumps', async () => {
    const { queue, pass } = world();
    const source = queue('source');
    source.send({ body: 'late', delaySeconds: 900 });
    const waiting = receive(source);
    pass(900_000);
    const [message] = await waiting;
    expect(message?.body).toBe('late');
    const again = receive(source);
    pass(30_000);
    expect((await again).map(({ body }) => body)).toEqual(['late']);
  });

  it('takes no messages for a consumer that has disconnected', async () => {
    const source = world().queue('source');
    const gone = new AbortController();
    const waiting = receive(source, 10, gone.signal);
    gone.abort();
    expect(await waiting).toEqual([]);
    expect(await receive(source, 10, gone.signal)).toEqual([]);
    source.send({ body: 'one' });
    expect(await receive(source, 10, gone.signal)).toEqual([]);
    expect(source.counts().visible).toBe(1);
  });

  it('returns nothing when the waiting time ends, and when the queue stops', async () => {
    const source = world().queue('source');
    expect(await source.receive({ maxMessages: 1, waitSeconds: 0.01 })).toEqual([]);
    const waiting = receive(source);
    source.stop();
    expect(await waiting).toEqual([]);
    await expect(receive(source)).rejects.toMatchObject({ code: 'QueueDoesNotExist' });
  });
});

describe('persistence', () => {
  const folder = mkdtempSync(join(tmpdir(), 'queue-'));
  let files = 0;
  const newFile = () => join(folder, `${files++}.jsonl`);
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('restores all accepted messages, and makes those in flight visible again with their count', async () => {
    const { queue, pass } = world();
    const file = newFile();
    const before = queue('source', { VisibilityTimeout: '3600' }, file);
    for (const body of ['deleted', 'in flight', 'waiting']) before.send({ body, groupId: 'tenant' });
    before.send({ body: 'delayed', delaySeconds: 900 });
    const [deleted] = await take(before, 2);
    before.delete(deleted?.receiptHandle ?? '');

    // As after a kill: nothing was closed.
    const after = queue('source', { VisibilityTimeout: '3600' }, file);
    const messages = await take(after);
    expect(messages.map(({ body }) => body).sort()).toEqual(['in flight', 'waiting']);
    const attributesOf = (body: string) => messages.find((message) => message.body === body)?.attributes;
    expect(attributesOf('in flight')).toMatchObject({ ApproximateReceiveCount: '2' });
    expect(attributesOf('waiting')).toMatchObject({ ApproximateReceiveCount: '1', MessageGroupId: 'tenant' });
    expect(after.counts().delayed).toBe(1);
    pass(900_000);
    expect(await bodies(after)).toEqual(['delayed']);
    before.close();
    after.close();
  });

  it('accepts a delete for a message that was received before the kill', async () => {
    const { queue } = world();
    const file = newFile();
    const before = queue('source', {}, file);
    before.send({ body: 'one' });
    const { receiptHandle } = await takeOne(before);
    before.close();
    const after = queue('source', {}, file);
    after.delete(receiptHandle);
    expect(await take(after)).toEqual([]);
    after.close();
  });

  it('drops messages that were purged', async () => {
    const { queue } = world();
    const file = newFile();
    const source = queue('source', {}, file);
    for (let n = 0; n < 3; n += 1) source.send({ body: 'one' });
    await takeOne(source);
    source.purge();
    expect(source.counts()).toEqual({ visible: 0, delayed: 0, inFlight: 0 });
    source.send({ body: 'two' });
    source.close();
    const after = queue('source', {}, file);
    expect(await bodies(after)).toEqual(['two']);
    after.close();
  });
});
