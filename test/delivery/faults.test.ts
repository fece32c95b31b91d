import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import type { FirstAttempt } from '#shared/domain/deliveries/message.ts';
import { metricsOf } from '../../support/aws/log-metrics.ts';
import { killFunction } from '../../support/processes.ts';
import { type DeliveryWorld, soon, startDeliveryWorld, type TestNumber } from '../../support/worlds/delivery-world.ts';

let service: DeliveryWorld;
let path: string;
let number: TestNumber;

beforeAll(async () => {
  // Only what a killed process had claimed waits for this time to pass.
  service = await startDeliveryWorld({ environment: { DELIVERY_TIMEOUT_MS: '4000' } });
});
afterAll(() => service.close());
beforeEach(async ({ task }) => {
  path = `/${task.id}`;
  number = await service.newNumber({ webhook: path });
  await service.queue.setVisibilityTimeout(180);
});

const queued = (messages: readonly unknown[]) =>
  Promise.all(
    messages.map((message) => {
      const MessageBody = typeof message === 'string' ? message : JSON.stringify(message);
      return service.queue.client.send(new SendMessageCommand({ QueueUrl: service.queue.url, MessageBody }));
    }),
  );

function notification(text: string, members: Partial<FirstAttempt> = {}): FirstAttempt {
  const address = { subscriber: number.id, target: 'webhook', id: newId() } as const;
  const created_at = Date.now();
  return { task: 'deliver', ...address, kind: 'message', payload: { text }, created_at, target_version: 1, ...members };
}

describe('faults of the service itself', () => {
  it('only messages that the service cannot handle become dead letters, in the end', async () => {
    service.receiver.script(path, ({ body }) => ({ status: body.toString() === 'fails' ? 500 : 200 }));
    const healthy = ['a', 'b', 'c', 'd', 'e'].map((text) => notification(text));
    await queued([notification('fails'), ...healthy]);
    const states = Map.groupBy(await service.ended(number, 6), ({ state }) => state);
    expect(Object.fromEntries([...states].map(([state, { length }]) => [state, length]))).toEqual({
      delivered: 5,
      exhausted: 1,
    });
    await service.untilDone();
    expect(await service.queue.deadLetters()).toBe(0);

    // Only now few receives, with little time for each: a busy machine must not lose the others.
    await service.queue.setVisibilityTimeout(2);
    await service.queue.setMaxReceives(3);
    await queued(['poison', '{"task":"dance"}']);
    await expect.poll(service.queue.deadLetters, soon).toBe(2);
    const failures = service.world.logs.filter((line) => line.includes('"delivery.failed"'));
    expect(metricsOf(failures)).toContain('DeliveryFailures');
  });

  it('a process that is killed between a POST and its record sends the POST again, under its id', async () => {
    await service.queue.setVisibilityTimeout(2);
    await service.queue.setMaxReceives(100);
    service.receiver.script(path, () => {
      service.receiver.script(path, [{}]);
      killFunction('DeliverNotifications');
      return 'hang';
    });
    await service.sendTexts(number, 'hello');
    const [delivery] = await service.ended(number);
    const requests = service.receiver.received(path);
    expect(requests).toHaveLength(2);
    expect(requests.map(({ headers }) => headers['webhook-id'])).toEqual([delivery?.id, delivery?.id]);
    expect(requests[1]?.body).toEqual(requests[0]?.body);
    expect(delivery).toMatchObject({ state: 'delivered', attempt_count: 1 });
  });
});
