import {
  GetQueueAttributesCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { deliveryStore } from '#shared/delivery/delivery-store.ts';
import type { FirstAttempt } from '#shared/delivery/notification.ts';
import { targetStore } from '#shared/webhooks/target-store.ts';
import { startHttpServer, type TestServer } from '#support/http/http-server.ts';
import { startTestWorld, type TestWorld } from '#support/worlds/world.ts';

/** Starting functions takes its time on a busy machine. */

const oneMessage = { ApproximateNumberOfMessages: '1' };

describe('the local world', () => {
  let world: TestWorld;
  let receiver: TestServer;
  let answer = 200;

  beforeAll(async () => {
    receiver = await startHttpServer((_, response) => response.writeHead(answer).end());
    world = await startTestWorld({ sweepSeconds: 1, environment: { DELIVERY_RETRY_SCHEDULE: '0,0' } });
    await targetStore(world.table).setUrls(number().id, { webhook: `${receiver.url}/webhook` });
  });
  afterAll(async () => {
    await world.close();
    await receiver.close();
  });
  beforeEach(() => {
    answer = 200;
    receiver.requests.length = 0;
  });

  function number() {
    const [first] = world.description.numbers;
    if (!first) throw new Error('The world has no number');
    return first;
  }

  async function sendText(body: string): Promise<void> {
    const events = [{ type: 'text', phone_number_id: number().phone_number_id, text: { body } }];
    const { status } = await fetch(`${world.description.upstream_url}/simulator/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
    });
    expect(status).toBe(200);
  }

  const received = () => receiver.requests.map(({ body }) => body);

  it('delivers the events of the simulated upstream to a webhook on loopback', async () => {
    await sendText('Hello');
    await expect.poll(received).toEqual([expect.stringContaining('"Hello"')]);
  });

  it('retries on the configured schedule, and no more often', async () => {
    answer = 500;
    await sendText('Again');
    const exhausted = () => world.logs.filter((line) => line.includes('"delivery.exhausted"'));
    await expect.poll(exhausted).toHaveLength(1);
    expect(received()).toEqual(Array(3).fill(expect.stringContaining('"Again"')));
  });

  it('sweeps as often as configured', async () => {
    await leaveWaiting('Swept');
    await expect.poll(received).toEqual(['Swept']);
    expect(world.errors).toEqual([]);
  });

  it('moves messages that it cannot handle to the dead letters, and handles them after a redrive', async () => {
    const { sqs: endpoint, region, queue_urls } = world.description.aws;
    const client = new SQSClient({ endpoint, region, credentials: world.administrator });
    const QueueUrl = String(queue_urls.NotificationQueue);
    const deadLetters = String(queue_urls.NotificationQueueDeadLetters);
    const attributesOf = async (url: string) =>
      (await client.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] }))).Attributes ?? {};
    const tries = () => world.logs.filter((line) => line.includes('"delivery.failed"')).length;
    const putAside = () => expect.poll(() => attributesOf(deadLetters)).toMatchObject(oneMessage);

    const { VisibilityTimeout = '', RedrivePolicy = '' } = await attributesOf(QueueUrl);
    const { maxReceiveCount } = JSON.parse(RedrivePolicy);
    // Makes it come back at once. A slow invocation may then overlap with the next, so there can be more tries.
    await client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { VisibilityTimeout: '0' } }));
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'no message of ours' }));
    await expect.poll(tries).toBeGreaterThanOrEqual(maxReceiveCount);
    await putAside();

    const { QueueArn } = await attributesOf(deadLetters);
    await client.send(new StartMessageMoveTaskCommand({ SourceArn: QueueArn }));
    await expect.poll(tries).toBeGreaterThanOrEqual(2 * maxReceiveCount);
    await putAside();
    await client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { VisibilityTimeout } }));
    client.destroy();
    expect(received()).toEqual([]);
  });

  function firstAttempt(text: string): FirstAttempt {
    return {
      task: 'deliver',
      subscriber: number().id,
      target: 'webhook',
      id: newId(),
      kind: 'message',
      payload: { text },
      created_at: Date.now(),
      target_version: 1,
    };
  }

  /** A delivery that is due, and that only the sweep can find. */
  async function leaveWaiting(text: string): Promise<void> {
    const now = Date.now();
    const deliveries = deliveryStore(world.table);
    const { claimed } = await deliveries.claimFirst(firstAttempt(text), { holder: newId(), until: now }, now);
    if (!claimed) throw new Error('The delivery was there already');
    const attempt = { at: now, duration_ms: 1, status: 500 };
    await deliveries.record(claimed, {
      state: 'waiting',
      attempt,
      attempt_count: 1,
      next_attempt_at: now,
      look_after_at: now,
    });
  }
});
