import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { listenOnLoopback } from '#local/aws/base/http/loopback.ts';
import { startReceiver } from '#support/worlds/simulated-graph.ts';
import { WebhookSender } from './webhook-sender.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function receiverAnswering(...statuses: number[]) {
  const receiver = await startReceiver(...statuses);
  cleanUps.push(receiver.close);
  return receiver;
}

function senderWith(retryMs: number[]): WebhookSender {
  const sender = new WebhookSender({ appSecret: () => 'app-secret', now: Date.now, retryMs });
  cleanUps.push(() => sender.close());
  return sender;
}

const statusesOf = ({ attempts }: { attempts: readonly { status: number | null }[] }) =>
  attempts.map(({ status }) => status);

describe('WebhookSender', () => {
  it('retries with the same bytes until the response is 200', async () => {
    const receiver = await receiverAnswering(500, 204, 302);
    const sent = await senderWith([1, 1, 1, 1]).send(receiver.url, { text: 'é' });
    await expect.poll(() => statusesOf(sent)).toEqual([500, 204, 302, 200]);
    const copies = receiver.received.map(({ headers, body }) => [headers['x-hub-signature-256'], body.toString()]);
    expect(copies.length).toBe(4);
    expect(new Set(copies.map(String)).size).toBe(1);
  });

  it('resolves after the first attempt, and stops after the last', async () => {
    const receiver = await receiverAnswering(500, 500, 500, 500);
    const sent = await senderWith([1, 1]).send(receiver.url, {});
    expect(statusesOf(sent)).toEqual([500]);
    await expect.poll(() => statusesOf(sent)).toEqual([500, 500, 500]);
    await senderWith([]).send(receiver.url, {});
    expect(receiver.received.length).toBe(4);
    expect(statusesOf(sent)).toEqual([500, 500, 500]);
  });

  it('retries if no server responds, and reports why', async () => {
    const receiver = await startReceiver();
    await receiver.close();
    const sent = await senderWith([1]).send(receiver.url, {});
    await expect.poll(() => statusesOf(sent)).toEqual([null, null]);
    expect(sent.attempts[0]?.answer).toContain('ECONNREFUSED');
  });

  it('announces one event at a time, so that they arrive in order', async () => {
    let open = 0;
    const openCounts: number[] = [];
    const server = createServer((request, response) => {
      open += 1;
      openCounts.push(open);
      request.resume().on('end', () => {
        setTimeout(() => {
          open -= 1;
          response.end();
        }, 5);
      });
    });
    const { url, close } = await listenOnLoopback(server, 0);
    cleanUps.push(close);
    const sender = senderWith([]);
    for (let i = 0; i < 10; i += 1) sender.announce(url, { entryId: '1', field: 'flows', value: { flow_id: `${i}` } });
    await expect.poll(() => sender.sent.map(statusesOf)).toEqual(Array.from({ length: 10 }, () => [200]));
    expect(openCounts).toEqual(Array.from({ length: 10 }, () => 1));
  });

  it('keeps the beginning of a long response', async () => {
    const server = createServer((_request, response) => response.end('x'.repeat(100_000)));
    const { url, close } = await listenOnLoopback(server, 0);
    cleanUps.push(close);
    const { attempts } = await senderWith([]).send(url, {});
    expect(attempts[0]?.answer).toBe('x'.repeat(1000));
  });

  it('stops at once when it is closed, even if no server responds', async () => {
    const server = createServer(() => undefined);
    const { url, close } = await listenOnLoopback(server, 0);
    cleanUps.push(close);
    const sender = senderWith([1]);
    const sending = sender.send(url, {});
    sender.close();
    expect(statusesOf(await sending)).toEqual([null]);
  });
});
