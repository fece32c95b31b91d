import { setImmediate as nextTurn } from 'node:timers/promises';
import { isTransient } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import { withLogContext } from '#shared/base/logger.ts';
import { updateBreakers } from '#shared/delivery/attempt.ts';
import { deliver, newBatch } from '#shared/delivery/deliver.ts';
import { type Delivery, deliveryId } from '#shared/delivery/delivery.ts';
import type { DeliveryContext, ProcessContext } from '#shared/delivery/delivery-context.ts';
import { drain } from '#shared/delivery/drain.ts';
import { type FirstAttempt, idsOf, type QueueMessage } from '#shared/delivery/notification.ts';
import { defaultSchedule } from '#shared/delivery/retry-schedule.ts';
import { sweep } from '#shared/delivery/sweep.ts';
import type { GetResponse } from '#shared/egress/get.ts';
import type { Attempt, PostRequest, PostResponse, Sender } from '#shared/egress/post.ts';
import type { Target } from '#shared/webhooks/subscriber.ts';
import { Memory } from '../memory-stores/memory.ts';
import { memoryStores } from '../memory-stores/memory-stores.ts';
import { openBreaker } from '../open-breaker.ts';
import { newNumber, type TestNumber } from './delivery-world.ts';

/** A POST that was made. */
export interface Post extends PostRequest {
  /** Epoch milliseconds. */
  at: number;
  id: string;
}

export type Engine = ReturnType<typeof deliveryEngine>;

export const answered = (status: number, asked: Pick<PostResponse, 'retryAfterSeconds'> = {}, body = ''): Attempt => ({
  outcome: 'responded',
  durationMs: 20,
  status,
  ...asked,
  body: Buffer.from(body),
  truncated: false,
});

/** The response of a receiver that passes the handshake. */
export const challengeIn = (url: string): GetResponse => ({
  ...{ status: 200, truncated: false },
  body: Buffer.from(new URL(url).searchParams.get('hub.challenge') ?? ''),
});

export const timedOut: Attempt = { outcome: 'failed', durationMs: 10_000, error: 'timeout' };

/**
 * Runs deliveries on the stores in memory. The test controls the queue and the clock: a run handles the messages in the
 * order in which they are due, and moves the clock to each. Receivers respond as `answer` says.
 */
export function deliveryEngine() {
  const memory = new Memory();
  // Timers fire before each call, so that an endless test ends.
  const stores = memoryStores(memory, async (_action, _detail, effect) => {
    await nextTurn();
    return effect();
  });
  const { deliveries, targets, breakers, secrets, numbers } = stores;
  const clock = { now: Date.UTC(2026, 0, 31) };
  const posts: Post[] = [];
  const queued: { message: QueueMessage; due: number }[] = [];

  /** Tests may change these members. */
  const settings = {
    /** Between 0 and 1; in the middle, delays are those of the schedule. */
    random: 0.5,
    answer: (async () => answered(200)) as (post: Post) => Promise<Attempt>,
  };

  const queue: DeliveryContext['queue'] = {
    async send(messages) {
      for (const { message, delaySeconds = 0 } of messages) {
        queued.push({ message, due: clock.now + Math.round(delaySeconds) * 1000 });
      }
      queued.sort((a, b) => a.due - b.due);
    },
  };

  const sender: Sender = {
    async post(request) {
      const post = { ...request, at: clock.now, id: String(request.headers['webhook-id']) };
      posts.push(post);
      return settings.answer(post);
    },
    close() {},
  };

  const deliveriesOf = ({ id }: TestNumber): Delivery[] =>
    memory.deliveries
      .values()
      .filter(({ subscriber }) => subscriber === id)
      .map(({ due_key: _, ...delivery }) => structuredClone(delivery))
      .sort((one, other) => (one.id < other.id ? 1 : -1));

  /** The context of one process. By default, it remembers no settings. */
  const context = (overrides: Partial<ProcessContext> = {}): ProcessContext => ({
    deliveries,
    targets,
    breakers,
    secretsFor: ({ subscriber }) => secrets.get(subscriber.id),
    queue,
    sender,
    readPayload: async (payload) => ('text' in payload ? payload.text : ''),
    schedule: defaultSchedule,
    timeoutMs: 10_000,
    isTransient,
    now: () => clock.now,
    random: () => settings.random,
    ...overrides,
  });

  const handleOne = (message: QueueMessage, by: DeliveryContext): Promise<void> =>
    withLogContext(idsOf(message), () => (message.task === 'drain' ? drain(message, by) : deliver(message, by)));

  /** Handles messages side by side, as one batch. */
  async function handleBatch(messages: readonly QueueMessage[], by = context()): Promise<void> {
    const batch = newBatch(by);
    await Promise.all(messages.map((message) => handleOne(message, batch)));
    await updateBreakers(batch);
  }

  const handle = (message: QueueMessage, by = context()): Promise<void> => handleBatch([message], by);

  /** A notification as ingestion queues it. */
  const notification = (number: TestNumber, text = 'text', target: Target = 'webhook'): FirstAttempt => ({
    task: 'deliver',
    subscriber: number.id,
    target,
    id: deliveryId({ subscriber: number.id, target, key: newId(), timestampMs: clock.now }),
    kind: 'message',
    payload: { text },
    created_at: clock.now,
    target_version: 0,
  });

  return Object.assign(settings, {
    memory,
    numbers,
    deliveries,
    targets,
    breakers,
    secrets,
    clock,
    posts,
    queue,
    /** The queued messages, the next one first. */
    queued,
    context,
    handle,
    handleBatch,
    notification,

    /** What a change of targets needs, with receivers that pass every handshake. */
    changeContext: () => ({
      ...{ targets, breakers, secrets, queue, now: () => clock.now },
      checkUrl: async () => undefined,
      ask: async (url: string) => challengeIn(url),
    }),

    newNumber: (urls: Partial<Record<Target, string>> = { webhook: 'https://example.com/hook' }) =>
      newNumber({ numbers, targets }, urls),

    /** Queues notifications; returns their ids. */
    async accept(number: TestNumber, count: number, target: Target = 'webhook'): Promise<string[]> {
      const target_version = (await targets.read(number.id))?.targets[target]?.version ?? 0;
      const messages = Array.from({ length: count }, (_, index) => ({
        ...notification(number, String(index), target),
        target_version,
      }));
      await queue.send(messages.map((message) => ({ message })));
      return messages.map(({ id }) => id);
    },

    /** Handles the queued messages, and those that follow, until the queue is empty or the time is over. */
    async run(options: { for?: number; context?: ProcessContext } = {}): Promise<void> {
      const end = clock.now + (options.for ?? Number.POSITIVE_INFINITY);
      for (let next = queued[0]; next !== undefined && next.due <= end; next = queued[0]) {
        queued.shift();
        clock.now = Math.max(clock.now, next.due);
        await handle(next.message, options.context);
      }
      if (options.for !== undefined) clock.now = end;
    },

    sweep: () => sweep(context()),

    /** Opens the breaker of a webhook, whose next probe is due after some milliseconds. */
    async breakTarget(subscriber: string, probeAfterMs: number): Promise<void> {
      await openBreaker(breakers, subscriber, 'webhook', { now: clock.now, probeAt: clock.now + probeAfterMs });
    },

    /** Newest first. */
    deliveriesOf: async (number: TestNumber): Promise<Delivery[]> => deliveriesOf(number),

    async states(number: TestNumber): Promise<Record<string, number>> {
      const states = Map.groupBy(deliveriesOf(number), ({ state }) => state);
      return Object.fromEntries([...states].map(([state, { length }]) => [state, length]));
    },

    breaker: async (number: TestNumber, target: Target = 'webhook') =>
      (await breakers.read(number.id, target))?.breaker,
  });
}
