import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { hourMs } from '#shared/base/time.ts';
import type { ContactData } from '#shared/contacts/contact-data-store.ts';
import type { Attempt } from '#shared/egress/post.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { answered, deliveryEngine, type Engine, timedOut } from '#support/worlds/delivery-engine.ts';
import type { TestNumber } from '#support/worlds/delivery-world.ts';
import { erase } from './search.ts';

const contents = '{"from":"5511900000001","body":"I am Ana"}';

let engine: Engine;
let number: TestNumber;
beforeEach(async () => {
  captureLog();
  engine = deliveryEngine();
  number = await engine.newNumber();
});

/** Erases the delivery as the command does, which has found it before. */
async function eraseAll(): Promise<void> {
  const deliveries = await engine.deliveriesOf(number);
  const table = { removeDelivery: async (delivery) => engine.memory.removeDelivery(delivery) } as ContactData;
  const bucket = { get: async () => undefined, delete: async () => {}, list: async function* () {} };
  const lists = { sentFlows: [], responses: [], files: new Set<never>(), left: [] };
  await erase({ table, bucket }, { ids: new Set(), notifications: new Set(), deliveries, ...lists });
}

/** What the table and the queue have of the notification. */
const left = async () => JSON.stringify([await engine.deliveriesOf(number), engine.queued]);

const responses: [string, Attempt][] = [
  ['responds 200', answered(200, {}, 'Thank you, 5511900000001')],
  ['responds 500', answered(500, {}, 'Who is 5511900000001?')],
  ['asks to wait', answered(503, { retryAfterSeconds: 3600 })],
  ['times out', timedOut],
];

describe('an erasure during an attempt', () => {
  it.each(responses)('is not undone by the attempt, when the receiver %s', async (_, response) => {
    engine.answer = async () => {
      await eraseAll();
      return response;
    };
    await engine.queue.send([{ message: engine.notification(number, contents) }]);
    await engine.run({ for: 48 * hourMs });
    await engine.sweep();
    await engine.run({ for: hourMs });
    expect(engine.posts).toHaveLength(1);
    expect(await left()).toBe('[[],[]]');
  });

  it.each(responses)('is not undone by a later attempt, when the receiver %s', async (_, response) => {
    let attempts = 0;
    engine.answer = async () => {
      attempts++;
      if (attempts < 3) return answered(500);
      await eraseAll();
      return response;
    };
    await engine.queue.send([{ message: engine.notification(number, contents) }]);
    await engine.run({ for: 48 * hourMs });
    expect(engine.posts).toHaveLength(3);
    expect(await left()).toBe('[[],[]]');
  });

  it.each(responses)('is not undone by a replay, when the receiver %s', async (_, response) => {
    await engine.queue.send([{ message: engine.notification(number, contents) }]);
    await engine.run();
    const [delivered] = await engine.deliveriesOf(number);
    engine.answer = async () => {
      await eraseAll();
      return response;
    };
    const { subscriber = '', target = 'webhook', id = '' } = delivered ?? {};
    await engine.queue.send([{ message: { task: 'replay', subscriber, target, id, replay: newId() } }]);
    await engine.run({ for: 48 * hourMs });
    expect(engine.posts).toHaveLength(2);
    expect(await left()).toBe('[[],[]]');
  });

  it('is not undone by an attempt that the breaker holds afterwards', async () => {
    engine.answer = async () => {
      await eraseAll();
      await engine.breakTarget(number.id, hourMs);
      return answered(500);
    };
    await engine.queue.send([{ message: engine.notification(number, contents) }]);
    await engine.run({ for: 48 * hourMs });
    expect(engine.posts).toHaveLength(1);
    expect(await left()).toBe('[[],[]]');
  });
});

it('a failed erasure leaves the events, which alone name the files', async () => {
  await engine.queue.send([{ message: engine.notification(number, contents) }]);
  await engine.run();
  const deliveries = await engine.deliveriesOf(number);
  const table: Partial<ContactData> = {
    removeMediaCopy: async () => Promise.reject(new Error('throttled')),
    removeDelivery: async (delivery) => engine.memory.removeDelivery(delivery),
  };
  const bucket = { get: async () => undefined, delete: async () => {}, list: async function* () {} };
  const lists = { sentFlows: [], responses: [], notifications: new Set<never>(), left: [] };
  const found = { ids: new Set<never>(), deliveries, files: new Set(['number/1']), ...lists };
  await expect(erase({ table: table as ContactData, bucket }, found)).rejects.toThrow('throttled');
  expect(await engine.deliveriesOf(number)).toHaveLength(1);
});
