import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { withLogContext } from '#shared/base/logger.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { deliveryEngine, type Engine } from '#support/worlds/delivery-engine.ts';
import { idsOf, parseMessage, payloadStore, type QueueMessage, requeue } from './notification.ts';

const address = { subscriber: newId(), target: 'webhook', id: newId() };

describe('a message of the queue', () => {
  it.each([
    { task: 'deliver', ...address, kind: 'call', payload: { text: '{}' }, created_at: 1, target_version: 7 },
    { task: 'deliver', ...address, kind: 'message', payload: { blob: 'a/b.json' }, created_at: 1, target_version: 0 },
    { task: 'retry', ...address, attempt_count: 3 },
    { task: 'replay', ...address, replay: newId(), request: newId() },
    { task: 'drain', subscriber: newId(), target: 'calls_webhook', token: newId() },
    { task: 'drain', subscriber: newId(), target: 'calls_webhook', token: newId(), after: newId() },
  ])('a message of the queue can be read: $task', (message) => {
    expect(parseMessage(JSON.stringify(message))).toEqual(message);
  });

  it.each([
    ['private words', 'all of it'],
    ['null', 'all of it'],
    ['{"task":"private words"}', 'task'],
    [JSON.stringify({ task: 'retry', ...address, attempt_count: 'private words' }), 'attempt_count'],
    [
      JSON.stringify({ task: 'retry', subscriber: 'private words', target: 'x', id: 1, attempt_count: 1 }),
      'subscriber, target, id',
    ],
  ])('that is malformed is rejected without quoting its contents: %s', (body, wrong) => {
    expect(parseMessage(body)).toEqual(new Error(`Not a message of this queue; wrong: ${wrong}`));
  });
});

const objects = new Map<string, string>();
const payloads = payloadStore({
  put: async (key, text) => void objects.set(key, text),
  get: async (key) => objects.get(key),
  delete: async (key) => void objects.delete(key),
});

beforeEach(() => objects.clear());

describe('payloads', () => {
  it('are stored in their delivery while they are small', async () => {
    const text = 'x'.repeat(200_000);
    const payload = await payloads.keep('subscriber', 'delivery', text);
    expect(payload).toEqual({ text });
    expect(objects.size).toBe(0);
    expect(await payloads.read(payload)).toBe(text);
  });

  it.each([
    ['by a byte', 'x'.repeat(200_001)],
    ['by what characters take', '👋'.repeat(50_001)],
  ])('are stored in the bucket if they are too large %s, and are returned unchanged', async (_, text) => {
    const payload = await payloads.keep('subscriber', 'delivery', text);
    expect(payload).toEqual({ blob: 'notifications/subscriber/delivery.json' });
    expect(await payloads.read(payload)).toBe(text);
  });

  it('that are missing are a fault of ours', async () => {
    await expect(payloads.read({ blob: 'notifications/subscriber/gone.json' })).rejects.toThrow('gone from the bucket');
  });
});

let engine: Engine;
let logged: ReturnType<typeof captureLog>;
beforeEach(() => {
  logged = captureLog();
  engine = deliveryEngine();
});

const recursions = () => logged.filter(({ event }) => event === 'delivery.requeue-limit');

/** Sends a message back so often, each time as the queue brings it. */
async function requeueOften(message: QueueMessage, times: number): Promise<void> {
  let next = message;
  for (let returns = 0; returns < times; returns++) {
    const message = next;
    await withLogContext(idsOf(message), () => requeue(message, 1, engine));
    next = parseMessage(JSON.stringify(engine.queued.splice(0)[0]?.message)) as QueueMessage;
  }
}

it('a notification that returns to the queue thousands of times is logged once for each 5,000', async () => {
  const message: QueueMessage = {
    task: 'replay',
    subscriber: newId(),
    target: 'webhook',
    id: newId(),
    replay: newId(),
  };
  await requeueOften(message, 4_999);
  expect(recursions()).toEqual([]);
  await requeueOften({ ...message, returns: 4_999 }, 5_001);
  expect(recursions()).toEqual([
    { level: 'error', event: 'delivery.requeue-limit', ...idsOf(message), returns: 5_000 },
    { level: 'error', event: 'delivery.requeue-limit', ...idsOf(message), returns: 10_000 },
  ]);
});
