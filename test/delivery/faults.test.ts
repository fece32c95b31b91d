import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import type { FirstAttempt } from '#shared/delivery/notification.ts';
import { forAllTests } from '#support/for-tests.ts';
import { metricsOf } from '../../support/aws/log-metrics.ts';
import { killFunction } from '../../support/processes.ts';
import { soon, startDeliveryWorld, type TestNumber } from '../../support/worlds/delivery-world.ts';

/** Only what never gets a response, and what a killed process had claimed, waits for this time to pass. */
const attemptMs = 4_000;

let path: string;
let number: TestNumber;

beforeAll(() => {
  // One server of the queue, so that what is sent together comes in one batch.
});
const service = forAllTests(() =>
  startDeliveryWorld({ queueServers: 1, environment: { DELIVERY_TIMEOUT_MS: String(attemptMs) } }),
);
beforeEach(async ({ task }) => {
  path = `/${task.id}`;
  number = await service.newNumber({ webhook: path });
  await service.queue.setVisibilityTimeout(180);
});

/** Sends up to ten messages together. */
const queued = (...messages: readonly unknown[]) =>
  service.queue.client.send(
    new SendMessageBatchCommand({
      QueueUrl: service.queue.url,
      Entries: messages.map((message, index) => ({
        Id: String(index),
        MessageBody: typeof message === 'string' ? message : JSON.stringify(message),
      })),
    }),
  );

function notification(text: string, members: Partial<FirstAttempt> = {}): FirstAttempt {
  const address = { subscriber: number.id, target: 'webhook', id: newId() } as const;
  const created_at = Date.now();
  return { task: 'deliver', ...address, kind: 'message', payload: { text }, created_at, target_version: 1, ...members };
}

async function countByState(): Promise<Record<string, number>> {
  const groups = Map.groupBy(await service.deliveries(number), ({ state }) => state);
  return Object.fromEntries([...groups].map(([state, { length }]) => [state, length]));
}

describe('faults of receivers', () => {
  it('a receiver that never responds ends at the time limit, and nothing else in its batch waits for it', async () => {
    const silent = await service.newNumber({ webhook: `${path}/silent` });
    service.receiver.script(`${path}/silent`, ['hang', {}]);
    const texts = ['a', 'b', 'c', 'd', 'e'];
    await queued(notification('silent', { subscriber: silent.id }), ...texts.map((text) => notification(text)));
    const healthy = await service.ended(number, texts.length);
    const [delivery] = await service.ended(silent);

    expect(delivery?.attempts).toEqual([
      { at: expect.any(Number), duration_ms: expect.any(Number), error: 'timeout' },
      { at: expect.any(Number), duration_ms: expect.any(Number), status: 200 },
    ]);
    const { at = 0, duration_ms = 0 } = delivery?.attempts[0] ?? {};
    // Timers and clocks differ by a little.
    expect(duration_ms).toBeGreaterThan(attemptMs * 0.9);
    expect(healthy.map(({ attempts }) => attempts)).toEqual(
      texts.map(() => [expect.objectContaining({ status: 200 })]),
    );
    const lastResponse = Math.max(
      ...healthy.flatMap(({ attempts }) => attempts.map((one) => one.at + one.duration_ms)),
    );
    expect(lastResponse).toBeLessThan(at + duration_ms);
  });
});

describe('faults of the service itself', () => {
  it('only messages that the service cannot handle become dead letters, whatever comes in their batch', async () => {
    // They come back soon, but not yet as often as a dead letter does: a busy machine must not lose the others.
    await service.queue.setVisibilityTimeout(2);
    service.receiver.script(path, ({ body }) => ({ status: body.toString() === 'fails' ? 500 : 200 }));
    const texts = ['a', 'b', 'c', 'd', 'e'];
    const others = texts.map((text) => notification(text));
    await queued('poison', notification('fails'), ...others, '{"task":"dance"}');
    const ended = await service.ended(number, texts.length + 1);
    expect(await countByState()).toEqual({ delivered: texts.length, exhausted: 1 });
    expect(ended.filter(({ attempts }) => attempts.length === 1)).toHaveLength(texts.length);
    const received = service.receiver.received(path).map(({ body }) => body.toString());
    expect(received.filter((text) => text !== 'fails').sort()).toEqual(texts);

    await service.queue.setMaxReceives(3);
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
