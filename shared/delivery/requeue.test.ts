import { beforeEach, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { withLogContext } from '#shared/base/logger.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { deliveryEngine, type Engine } from '#support/worlds/delivery-engine.ts';
import { idsOf, parseMessage, type QueueMessage, requeue } from './notification.ts';

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
