import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { MessageSource, ReceivedMessage } from '../sqs/queue/message.ts';
import type { EventSourceMapping } from '../template/event-source-mappings.ts';
import { startEventSource } from './event-source.ts';
import { type InvokeResult, ThrottledError } from './invocation.ts';

/** A queue whose messages, once received, stay in flight until they are deleted. */
class FakeQueue implements MessageSource {
  readonly deleted: string[] = [];
  readonly received: number[] = [];
  readonly #waiting: string[] = [];
  /** Long polls in progress. */
  polls = 0;
  #arrived = Promise.withResolvers<void>();

  send(...ids: string[]): void {
    this.#waiting.push(...ids);
    this.endPolls();
  }

  /** Ends all long polls, without messages if there are none. */
  endPolls(): void {
    this.#arrived.resolve();
    this.#arrived = Promise.withResolvers();
  }

  async receive({ maxMessages, waitSeconds, signal }: Parameters<MessageSource['receive']>[0]) {
    if (this.#waiting.length === 0) {
      const over = delay(waitSeconds * 1000, undefined, { signal }).catch(() => undefined);
      this.polls += 1;
      await Promise.race([over, this.#arrived.promise]);
      this.polls -= 1;
    }
    const ids = this.#waiting.splice(0, maxMessages);
    this.received.push(ids.length);
    return ids.map(
      (messageId): ReceivedMessage => ({
        messageId,
        receiptHandle: messageId,
        body: messageId,
        md5OfBody: '',
        attributes: {},
      }),
    );
  }

  delete(receiptHandle: string): void {
    this.deleted.push(receiptHandle);
  }
}

const mapping: EventSourceMapping = {
  logicalId: 'Mapping',
  queueName: 'Queue',
  queueArn: 'arn:aws:sqs:us-east-1:000000000000:Queue',
  functionName: 'Consume',
  batchSize: 10,
  batchingWindowSeconds: 0,
  maximumConcurrency: 5,
  reportBatchItemFailures: true,
};

function start(
  consume: (bodies: string[]) => Promise<Partial<InvokeResult>> | Partial<InvokeResult>,
  changes: Partial<EventSourceMapping> = {},
  ready?: () => Promise<void>,
) {
  const queue = new FakeQueue();
  const batches: string[][] = [];
  const errors: Error[] = [];
  const eventSource = startEventSource({
    mapping: { ...mapping, ...changes },
    source: queue,
    async invoke(functionName, payload) {
      expect(functionName).toBe('Consume');
      const bodies = JSON.parse(payload).Records.map(({ body }: { body: string }) => body);
      batches.push(bodies);
      return { payload: 'null', ...(await consume(bodies)) };
    },
    ...(ready && { ready }),
    onError: (error) => errors.push(error),
  });
  onTestFinished(() => eventSource.stop(0));
  return { queue, batches, errors, eventSource };
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `m${index}`);

describe('startEventSource', () => {
  it('delivers batches and deletes successful messages', async () => {
    const { queue, batches } = start(() => ({}));
    queue.send(...ids(12));
    await expect.poll(() => queue.deleted).toEqual(ids(12));
    expect(batches.map(({ length }) => length)).toEqual([10, 2]);
  });

  it('keeps the messages that are reported as failed', async () => {
    const { queue } = start(() => ({ payload: '{"batchItemFailures":[{"itemIdentifier":"m1"}]}' }));
    queue.send('m0', 'm1', 'm2');
    await expect.poll(() => queue.deleted).toEqual(['m0', 'm2']);
  });

  it('keeps the whole batch of a function that failed, and continues', async () => {
    const { queue, batches } = start(([first]) => (first === 'bad' ? { functionError: 'Unhandled' } : {}));
    queue.send('bad');
    await expect.poll(() => batches.length).toBe(1);
    queue.send('good');
    await expect.poll(() => queue.deleted).toEqual(['good']);
  });

  it('waits for more messages while the window is open', async () => {
    const onePoller = { maximumConcurrency: 1 };
    const { queue, batches } = start(() => ({}), { ...onePoller, batchSize: 3, batchingWindowSeconds: 10 });
    queue.send('m0');
    await expect.poll(() => queue.received.length).toBe(1);
    queue.send('m1');
    await expect.poll(() => queue.received.length).toBe(2);
    expect(batches).toEqual([]);
    queue.send('m2');
    await expect.poll(() => batches).toEqual([['m0', 'm1', 'm2']]);
  });

  it('delivers an incomplete batch when the window closes', async () => {
    const { queue, batches } = start(() => ({}), { batchingWindowSeconds: 0.05 });
    queue.send('m0');
    await expect.poll(() => batches).toEqual([['m0']]);
  });

  it('fills batches larger than one receive', async () => {
    const onePoller = { maximumConcurrency: 1 };
    const { queue, batches } = start(() => ({}), { ...onePoller, batchSize: 25, batchingWindowSeconds: 10 });
    queue.send(...ids(25));
    await expect.poll(() => batches).toEqual([ids(25)]);
    expect(queue.received.filter((count) => count > 0)).toEqual([10, 10, 5]);
  });

  it('polls with five pollers, of which each has one batch at a time', async () => {
    const gates = ids(6).map(() => Promise.withResolvers<void>());
    let calls = 0;
    const { queue, batches } = start(() => gates[calls++]?.promise.then(() => ({})) ?? {}, { batchSize: 1 });
    await expect.poll(() => queue.polls).toBe(5);
    queue.send(...ids(6));
    await expect.poll(() => batches).toEqual(ids(5).map((id) => [id]));
    gates[3]?.resolve();
    await expect.poll(() => batches[5]).toEqual(['m5']);
    expect(queue.deleted).toEqual(['m3']);
    for (const gate of gates) gate.resolve();
    await expect.poll(() => queue.polls).toBe(5);
  });

  it('adds pollers while all have a batch, and lets them go when they find nothing', async () => {
    const gate = Promise.withResolvers<void>();
    const { queue, batches } = start(() => gate.promise.then(() => ({})), { batchSize: 1, maximumConcurrency: 7 });
    queue.send(...ids(8));
    await expect.poll(() => batches.length).toBe(7);
    gate.resolve();
    await expect.poll(() => queue.deleted.length).toBe(8);
    await expect.poll(() => queue.polls).toBe(7);
    queue.endPolls();
    await expect.poll(() => queue.polls).toBe(5);
  });

  it('runs no more concurrent batches than allowed, and receives nothing that it has no room for', async () => {
    const gate = Promise.withResolvers<void>();
    const { queue, batches } = start(() => gate.promise.then(() => ({})), { batchSize: 1, maximumConcurrency: 2 });
    queue.send(...ids(4));
    await expect.poll(() => batches.length).toBe(2);
    await setImmediate();
    expect(batches.length).toBe(2);
    expect(queue.received).toEqual([1, 1]);
    gate.resolve();
    await expect.poll(() => queue.deleted.length).toBe(4);
  });

  it('leaves messages in the queue until the function can take them', async () => {
    const gate = Promise.withResolvers<void>();
    const { queue, batches } = start(
      () => ({}),
      {},
      () => gate.promise,
    );
    queue.send('m0');
    await setImmediate();
    queue.send('m1', 'm2');
    await setImmediate();
    expect(queue.received).toEqual([]);
    gate.resolve();
    await expect.poll(() => batches).toEqual([['m0', 'm1', 'm2']]);
  });

  it('adds pollers while some wait for room in the function', async () => {
    const [room, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let waiting = 0;
    const ready = () => {
      waiting += 1;
      return room.promise;
    };
    start(() => gate.promise.then(() => ({})), { maximumConcurrency: 7 }, ready);
    await expect.poll(() => waiting).toBe(7);
    room.resolve();
    gate.resolve();
  });

  it('startEventSource retries a throttled function', async () => {
    let calls = 0;
    const { queue, errors } = start(() => {
      calls += 1;
      return calls === 1 ? Promise.reject(new ThrottledError()) : {};
    });
    queue.send('m0');
    await expect.poll(() => queue.deleted).toEqual(['m0']);
    expect(calls).toBe(2);
    expect(errors).toEqual([]);
  });

  it('reports errors that keep a batch from its function', async () => {
    const { queue, errors } = start(() => Promise.reject(new Error('no such function')));
    queue.send('m0');
    await expect.poll(() => errors.map(({ message }) => message)).toEqual(['no such function']);
    expect(queue.deleted).toEqual([]);
  });

  it('finishes running batches when it stops, and receives no more', async () => {
    const gate = Promise.withResolvers<void>();
    const { queue, batches, eventSource } = start(() => gate.promise.then(() => ({})));
    queue.send('m0');
    await expect.poll(() => batches.length).toBe(1);
    const stopped = eventSource.stop(5_000);
    queue.send('m1');
    gate.resolve();
    await stopped;
    expect(queue.deleted).toEqual(['m0']);
    expect(batches).toEqual([['m0']]);
  });

  it('does not wait for ever when it stops', async () => {
    const { queue, batches, eventSource } = start(() => new Promise(() => undefined), { maximumConcurrency: 1 });
    queue.send('m0');
    await expect.poll(() => batches.length).toBe(1);
    await eventSource.stop(10);
    expect(queue.deleted).toEqual([]);
  });
});
